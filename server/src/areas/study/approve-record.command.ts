import type { Caller } from '../../access/caller.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import { writeAudit, writeStudyAudit } from '../audit/audit.sql.ts'
import { writeEvent } from '../event/event.sql.ts'
import { namesSeveralPatients } from '../ingest/patient-identity.ts'
import { sayReady, saySharedReady } from '../ingest/say-ready.command.ts'
import { sharedMail } from '../mail/mail-texts.ts'
import { wakeRulesOfApproved } from '../routing/wake-rules.command.ts'
import { tellEvent } from '../telling/tell-event.command.ts'
import { findReceiver } from './share-recipient.sql.ts'
import { receiveAgain } from './shared-arrival.sql.ts'
import { listIdentities, refreshRecord } from './shared-record.sql.ts'
import { addSharedAttachments } from './shared-attachments.sql.ts'
import { tellRecipient } from './tell-recipient.command.ts'
import { listApprovals, lockWaiting, markApproved, type WaitingShare } from './waiting-record.sql.ts'

/**
 * Approves a record that waits, and the shares that wait beside it. Whatever the arrival of a study has happen (mails,
 * work that follows from a ready study) happens here, once.
 * @param address of the web app, where mails lead
 * @returns `unchanged` when nothing waits: somebody else approved it
 */
export async function approveRecord(
  tx: Tx,
  caller: Caller,
  record: StudyRecord,
  address: string,
): Promise<'approved' | 'unchanged' | 'gone'> {
  const { deleted, is_whole, is_waiting, shares: waiting } = await lockWaiting(tx, record)
  if (deleted) return 'gone'
  if (!is_waiting) return 'unchanged'
  await markApproved(tx, record, waiting)
  // a record that waits again, as a nomination does that is matched anew, has told of what was approved before
  const earlier = await listApprovals(tx, record)
  const shares = waiting.filter(({ uuid }) => !earlier.shares.has(uuid))
  const isFirst = !earlier.isApproved || shares.length > 0
  await receiveAgain(tx, record)
  if (shares.length > 0) await refreshRecord(tx, record, namesSeveralPatients(await listIdentities(tx, record)))
  await sayReady(tx, [record], 'approved', new Date())
  // rules looked at a record that waited as a whole when it came
  if (is_whole) await wakeRulesOfApproved(tx, record.uuid)
  else if (isFirst) await saySharedReady(tx, [record], { occasion: `approved ${shares[0]?.uuid ?? ''}` })
  await writeStudyAudit(tx, caller, record, 'APPROVE', { shares: shares.map((one) => one.uuid) })
  const approved = { ...record, must_approve: false }
  if (isFirst) await tellEvent(tx, 'STUDY_APPROVE', [approved])
  if (shares.length > 0) await tellEvent(tx, 'STUDY_WAS_SHARED', [approved])
  await writeEvent(tx, 'study', record.phi_namespace, record.uuid)
  for (const share of shares) await tellParties(tx, caller, record, share, address)
  return 'approved'
}

async function tellParties(
  tx: Tx,
  caller: Caller,
  record: StudyRecord,
  share: WaitingShare,
  address: string,
): Promise<void> {
  await writeAudit(tx, {
    accountUuid: share.account_uuid,
    caller,
    action: 'APPROVE',
    type: 'Study_share',
    objectUuid: share.study_uuid,
    phiNamespace: share.from_namespace,
    detail: { to: `${share.to_kind} ${share.to_uuid}`, share: share.uuid },
  })
  await writeEvent(tx, 'study', share.from_namespace, share.study_uuid)
  if (share.with_attachments) {
    const from = { phi_namespace: share.from_namespace, uuid: share.study_uuid }
    await addSharedAttachments(tx, from, record, share.uuid)
  }
  const to = await findReceiver(tx, record, { kind: share.to_kind, uuid: share.to_uuid })
  if (to) await tellRecipient(tx, to, share.by_user, sharedMail(address, to.kind), share.uuid)
}
