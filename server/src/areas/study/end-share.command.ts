import type { Caller } from '../../access/caller.ts'
import type { Tx } from '../../db/database.ts'
import { type AuditEntry, writeAudit } from '../audit/audit.sql.ts'
import { writeEvent } from '../event/event.sql.ts'
import { endRecordWithoutSource, endSources } from './ended-sources.sql.ts'
import { lockReached, lockSharingOf } from './share-locks.sql.ts'
import { findRecipientName, findSharedFrom, lockShare, markStopped } from './share.sql.ts'
import { noteDirectShares, refreshRecord } from './shared-record.sql.ts'

/** A person who may stop a share. */
type Sharer = Pick<Caller, 'userUuid' | 'name' | 'clientAddress'> & Partial<Pick<Caller, 'kind'>>

/**
 * Ends a share, and whatever was passed on from it: the recipients' records lose their sources, and go where none is
 * left. Without a caller its time was over.
 * @returns false when it was over already
 */
export async function endShare(tx: Tx, caller: Sharer | undefined, shareUuid: string): Promise<boolean> {
  await lockSharingOf(tx, shareUuid)
  await lockReached(tx, { shares: [shareUuid] })
  return endReachedShare(tx, caller, shareUuid)
}

/** The same for a caller who holds all that it reaches (`lockReached`). */
export async function endReachedShare(tx: Tx, caller: Sharer | undefined, shareUuid: string): Promise<boolean> {
  const share = await lockShare(tx, shareUuid)
  if (!share || !['scheduled', 'delivered'].includes(share.state)) return false
  const { shares, records } = await endSources(tx, shareUuid)
  await markStopped(
    tx,
    shares.map((one) => one.uuid),
    caller?.userUuid ?? null,
  )
  for (const record of records) {
    const isGone = await endRecordWithoutSource(tx, record)
    if (!isGone) await refreshRecord(tx, record, false)
    await writeShareEnd(tx, caller, record, { with: caller?.name ?? '', share: shareUuid })
  }
  await noteDirectShares(
    tx,
    shares.map((one) => one.study_uuid),
  )
  const from = await findSharedFrom(tx, share.study_uuid)
  if (from) {
    const name = await findRecipientName(tx, share)
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
