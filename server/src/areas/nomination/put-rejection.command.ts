import { randomUUID } from 'node:crypto'
import type { RejectionCode } from '@hilum/contract/rejection-codes'
import type { Caller } from '../../access/caller.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import { ringAccessBell } from '../event/event.sql.ts'
import { rejectedMail } from '../mail/mail-texts.ts'
import { insertMail } from '../mail/mail.sql.ts'
import { tellEvent } from '../telling/tell-event.command.ts'
import { findNominator, markNominationRejected, type NominationRow } from './nomination.sql.ts'
import { tellNomination } from './tell-nomination.command.ts'

/** Reason of a rejection. */
interface Rejection {
  reason: string
  code: RejectionCode | ''
  message: string
  /** The record of the gatekeeper group is deleted with it: restoring the record undoes the rejection. */
  isByDeletion: boolean
}

/**
 * Writes the rejection of a nomination whose records the caller has locked: both records tell of it, what is on its way to a
 * destination stops, and whoever nominated is mailed that there is one.
 * @param address of the web app, where the mail leads; undefined: no mail
 */
export async function putRejection(
  tx: Tx,
  caller: Caller | undefined,
  record: StudyRecord,
  nomination: NominationRow,
  why: Rejection,
  address: string | undefined,
): Promise<void> {
  const { reason, code, message } = why
  await markNominationRejected(tx, nomination.uuid, { ...why, userUuid: caller?.userUuid ?? null })
  await ringAccessBell(tx)
  await tellNomination(tx, nomination.uuid)
  const detail = { group: nomination.group_name, reason, ...(code ? { code } : {}), message }
  await writeStudyAudit(tx, caller, record, 'NOMINATE_REJECT', detail)
  const source = {
    account_uuid: record.account_uuid,
    uuid: nomination.study_uuid,
    phi_namespace: nomination.from_namespace,
  }
  await writeStudyAudit(tx, caller, source, 'NOMINATE_REJECT', detail)
  // what waits for approval cannot be nominated
  await tellEvent(tx, 'STUDY_REJECT', [{ ...source, must_approve: false }])
  const recipient = address === undefined ? undefined : await findNominator(tx, nomination.uuid)
  if (address === undefined || !recipient || recipient.uuid === caller?.userUuid) return
  const mail = { uuid: randomUUID(), accountUuid: record.account_uuid, recipient: recipient.email }
  await insertMail(tx, { ...mail, ...rejectedMail(address) })
}
