import { randomUUID } from 'node:crypto'
import type { Caller } from '../../access/caller.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import { writeAudit, writeStudyAudit } from '../audit/audit.sql.ts'
import { rejectedMail } from '../mail/mail-texts.ts'
import { insertMail } from '../mail/mail.sql.ts'
import { deleteRecord } from '../retention/delete-record.command.ts'
import { tellEvent } from '../telling/tell-event.command.ts'
import { endReachedShare } from './end-share.command.ts'
import { markRejected } from './share.sql.ts'
import { lockWaiting, putRejectMessage, type WaitingShare } from './waiting-record.sql.ts'

/**
 * Rejects what waits of a record: its shares end, and their senders are told why; a record with images of its own goes
 * into the bin. Shares that wait beside an approved record end alone.
 * @returns why not: `approved` when nothing waits any more; the caller rolls back then
 */
export async function rejectRecord(
  tx: Tx,
  caller: Caller,
  record: StudyRecord,
  { message, address }: { message: string; address: string },
): Promise<'rejected' | 'approved' | 'gone' | 'hold' | 'frozen'> {
  const { deleted, is_waiting, is_whole, shares } = await lockWaiting(tx, record)
  if (deleted) return 'gone'
  if (!is_waiting) return 'approved'
  await writeStudyAudit(tx, caller, record, 'REJECT', { shares: shares.map((one) => one.uuid), message })
  for (const share of shares) {
    // what came earlier was approved
    await endReachedShare(tx, caller, share.uuid, !is_whole)
    await markRejected(tx, share.uuid, message)
    await tellSender(tx, caller, share, message, address)
  }
  if (!is_whole) return 'rejected'
  // of what was shared alone nothing is left to delete
  const outcome = await deleteRecord(tx, caller, record, caller.userUuid)
  return outcome === 'deleted' || (outcome === 'gone' && shares.length > 0) ? 'rejected' : outcome
}

async function tellSender(
  tx: Tx,
  caller: Caller,
  share: WaitingShare,
  message: string,
  address: string,
): Promise<void> {
  if (message !== '') await putRejectMessage(tx, share, message)
  await writeAudit(tx, {
    accountUuid: share.account_uuid,
    caller,
    action: 'REJECT',
    type: 'Study_share',
    objectUuid: share.study_uuid,
    phiNamespace: share.from_namespace,
    detail: { to: `${share.to_kind} ${share.to_uuid}`, share: share.uuid, message },
  })
  const given = { account_uuid: share.account_uuid, phi_namespace: share.from_namespace, uuid: share.study_uuid }
  // what waits for approval could not be shared
  await tellEvent(tx, 'STUDY_REJECT', [{ ...given, must_approve: false }])
  if (share.by_email === '' || share.by_user === caller.userUuid) return
  const mail = { uuid: randomUUID(), accountUuid: share.account_uuid, recipient: share.by_email }
  await insertMail(tx, { ...mail, ...rejectedMail(address) })
}
