import { randomUUID } from 'node:crypto'
import { ApiError } from '@hilum/contract/errors'
import type { Caller } from '../../access/caller.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import { findOutgoingRecord } from '../altered/outgoing-record.sql.ts'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import { nominatedMail } from '../mail/mail-texts.ts'
import type { NominationForm } from '../nomination/nomination-form.ts'
import { hasOtherRecord, insertNomination, lockNominationOf, type NominationRow } from '../nomination/nomination.sql.ts'
import { tellNomination } from '../nomination/tell-nomination.command.ts'
import { lockSharing } from '../storage/lock-sharing.sql.ts'
import type { Recipient } from './share-recipient.sql.ts'
import type { Delivered } from './deliver-share.command.ts'
import { shareStudy } from './share-study.command.ts'
import { tellRecipient } from './tell-recipient.command.ts'

/**
 * Nominates a record to a gatekeeper group (NOMINATE-04): a share that waits for the decision of the group, with the
 * answers of its form. Nominating again while it waits there changes nothing; after a correction, a rejection or a push that
 * failed it begins anew, with what is in force now.
 * @throws ApiError NOT_READY for images of several patients; PENDING while another nomination is open; ALREADY_EXISTS when
 *   the group has the study of some other way, or has sent it
 */
export async function nominateStudy(
  tx: Tx,
  caller: Caller,
  record: StudyRecord,
  gatekeeper: Recipient,
  options: { form: NominationForm; message: string; withAttachments: boolean; address: string },
): Promise<Delivered | { kind: 'scheduled' | 'unchanged' }> {
  await lockSharing(tx, record.study_uid)
  const earlier = await lockNominationOf(tx, record.uuid)
  const waitsThere = earlier?.state === 'nominated' && earlier.group_uuid === gatekeeper.uuid
  if (waitsThere && !earlier.is_corrected) return { kind: 'unchanged' }
  if (!waitsThere) demandOpen(earlier)
  const outgoing = await findOutgoingRecord(tx, record.phi_namespace, record.uuid)
  if (outgoing?.mixed_patients) throw new ApiError('NOT_READY')
  if (await hasOtherRecord(tx, gatekeeper, record.study_uid, earlier?.share_uuid)) throw new ApiError('ALREADY_EXISTS')
  const shareUuid = randomUUID()
  const done = await shareStudy(tx, caller, record, gatekeeper, {
    uuid: shareUuid,
    message: options.message,
    delaySeconds: 0,
    minutes: null,
    byCode: false,
    withAttachments: options.withAttachments,
    mixedSeen: false,
    isAnew: true,
  })
  if (done.kind !== 'delivered') return done
  const uuid = randomUUID()
  const { answers, priority } = options.form
  await insertNomination(tx, { uuid, shareUuid, group: gatekeeper, answers, priority, userUuid: caller.userUuid })
  await tellNomination(tx, uuid)
  await writeStudyAudit(tx, caller, record, 'NOMINATE', { group: gatekeeper.name, nomination: uuid })
  await tellRecipient(tx, gatekeeper, caller.userUuid, nominatedMail(options.address), shareUuid)
  return done
}

/** One nomination of a record is open at a time. */
function demandOpen(earlier: NominationRow | undefined): void {
  if (!earlier) return
  if (earlier.state === 'nominated') throw new ApiError('PENDING')
  if (earlier.state !== 'sent' || earlier.push_status === 'F') return
  throw new ApiError(earlier.push_status === 'S' ? 'ALREADY_EXISTS' : 'PENDING')
}
