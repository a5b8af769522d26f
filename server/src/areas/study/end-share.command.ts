import type { Caller } from '../../access/caller.ts'
import type { Tx } from '../../db/database.ts'
import { asOutside, type AuditEntry, writeAudit } from '../audit/audit.sql.ts'
import { writeEvent } from '../event/event.sql.ts'
import { endNominations } from '../nomination/tell-nomination.command.ts'
import { tellEvent } from '../telling/tell-event.command.ts'
import { endRecordWithoutSource, endSources, waitAsWhole } from './ended-sources.sql.ts'
import { lockReached, lockSharingOf } from './share-locks.sql.ts'
import { findRecipientName } from './recipient-name.sql.ts'
import { findSenderName, findSharedFrom, detachCompanions, lockShare, markStopped, standAlone } from './share.sql.ts'
import { endSharedAttachments } from './shared-attachments.sql.ts'
import { noteDirectShares, noteWaitingShares, refreshRecord } from './shared-record.sql.ts'

/** A person who may stop a share. */
type Sharer = Pick<Caller, 'userUuid' | 'name' | 'clientAddress'> & Partial<Pick<Caller, 'kind'>>

/**
 * Ends a share, the earlier ones that go with it, and whatever was passed on from them: the recipients' records lose their
 * sources, and go where none is left. Without a caller its time was over.
 * @param isAlone the recipient keeps what earlier shares gave: this one gave nothing yet
 * @returns false when it was over already
 */
export async function endShare(
  tx: Tx,
  caller: Sharer | undefined,
  shareUuid: string,
  isAlone = false,
): Promise<boolean> {
  await lockSharingOf(tx, shareUuid)
  await lockReached(tx, { shares: [shareUuid] })
  return endReachedShare(tx, caller, shareUuid, isAlone)
}

/** The same for a caller who holds all that it reaches (`lockReached`). */
export async function endReachedShare(
  tx: Tx,
  caller: Sharer | undefined,
  shareUuid: string,
  isAlone = false,
): Promise<boolean> {
  const share = await lockShare(tx, shareUuid)
  if (!share || !['scheduled', 'delivered'].includes(share.state)) return false
  if (isAlone) await detachCompanions(tx, shareUuid)
  const { shares, records } = await endSources(tx, shareUuid)
  const ended = shares.map((one) => one.uuid)
  await markStopped(tx, ended, caller?.userUuid ?? null)
  if (isAlone) await standAlone(tx, shareUuid)
  await endNominations(tx, ended)
  const from = await findSharedFrom(tx, share.study_uuid)
  for (const record of records) {
    await endSharedAttachments(tx, record, ended)
    const isGone = !(await waitAsWhole(tx, record)) && (await endRecordWithoutSource(tx, record))
    if (!isGone) await refreshRecord(tx, record, false)
    else if (!record.is_deleted) await tellEvent(tx, 'STUDY_DELETE', [record])
    await noteWaitingShares(tx, record)
    const actor = record.account_uuid === from?.account_uuid ? caller : asOutside(caller)
    const sender = from ? await findSenderName(tx, caller?.name ?? '', from, record) : (caller?.name ?? '')
    await writeShareEnd(tx, actor, record, { with: sender, share: shareUuid })
  }
  await noteDirectShares(
    tx,
    shares.map((one) => one.study_uuid),
  )
  if (from) {
    const name = await findRecipientName(tx, shareUuid)
    await writeShareEnd(tx, caller, from, { with: name, to: `${share.to_kind} ${share.to_uuid}`, share: shareUuid })
  }
  return true
}

async function writeShareEnd(
  tx: Tx,
  caller: AuditEntry['caller'],
  record: { account_uuid: string; phi_namespace: string; uuid: string },
  detail: Record<string, unknown>,
): Promise<void> {
  await writeAudit(tx, {
    accountUuid: record.account_uuid,
    caller,
    action: 'DELETE',
    type: 'Study_share',
    objectUuid: record.uuid,
    phiNamespace: record.phi_namespace,
    detail,
  })
  await writeEvent(tx, 'study', record.phi_namespace, record.uuid)
}
