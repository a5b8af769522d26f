import { randomUUID } from 'node:crypto'
import { ApiError } from '@hilum/contract/errors'
import { codeOfReason, type RejectionCode } from '@hilum/contract/rejection-codes'
import type { Caller } from '../../access/caller.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import { ringAccessBell } from '../event/event.sql.ts'
import { rejectedMail } from '../mail/mail-texts.ts'
import { insertMail } from '../mail/mail.sql.ts'
import { findNominator, lockNominated, lockNominationAt, markNominationRejected } from '../nomination/nomination.sql.ts'
import { tellNomination } from '../nomination/tell-nomination.command.ts'
import { tellEvent } from '../telling/tell-event.command.ts'
import { lockSharing } from './share-locks.sql.ts'
import { lockStudyRow } from '../altered/locked-study.sql.ts'

/**
 * Rejects a nomination: both records tell the reason and the message (PROCESS-17), and whoever nominated is mailed that
 * there is one. The record stays with the gatekeeper group. Rejecting again changes nothing.
 * @throws ApiError LOCKED while somebody else holds the record; STALE when it changed, or was sent meanwhile
 */
export async function rejectNomination(
  tx: Tx,
  caller: Caller,
  record: StudyRecord,
  options: {
    reason: string
    code: RejectionCode | undefined
    message: string
    rowVersion: number | undefined
    address: string
  },
): Promise<void> {
  await lockSharing(tx, record.study_uid)
  const nomination = await lockNominationAt(tx, record.uuid)
  if (nomination) await lockNominated(tx, nomination)
  const row = await lockStudyRow(tx, record.phi_namespace, record.uuid)
  if (!nomination || !row) throw new ApiError('NOT_FOUND')
  if (row.locked_by && row.locked_by !== caller.userUuid) throw new ApiError('LOCKED')
  if (nomination.state === 'rejected') return
  if (nomination.state === 'sent') throw new ApiError('STALE')
  if (options.rowVersion !== undefined && options.rowVersion !== row.row_version) throw new ApiError('STALE')
  const { reason, message, address } = options
  const code = options.code ?? codeOfReason(reason) ?? ''
  await markNominationRejected(tx, nomination.uuid, { reason, code, message, userUuid: caller.userUuid })
  // what is on its way to a destination stops
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
  const recipient = await findNominator(tx, nomination.uuid)
  if (!recipient || recipient.uuid === caller.userUuid) return
  const mail = { uuid: randomUUID(), accountUuid: record.account_uuid, recipient: recipient.email }
  await insertMail(tx, { ...mail, ...rejectedMail(address) })
}
