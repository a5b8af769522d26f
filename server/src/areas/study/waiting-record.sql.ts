import { sql } from 'kysely'
import { sourcesOf } from '../../access/source-rows.sql.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import { lockSharing } from '../storage/lock-sharing.sql.ts'
import { lockReached } from './share-locks.sql.ts'
import type { ShareRow } from './share.sql.ts'

/** A share that waits for approval, with the record that it was made from. */
export type WaitingShare = Pick<
  ShareRow,
  'uuid' | 'to_kind' | 'to_uuid' | 'by_user' | 'from_namespace' | 'study_uuid' | 'with_attachments'
> & {
  account_uuid: string
  /** Address of whoever shared it; empty where the login is gone or disabled. */
  by_email: string
}

interface WaitingRecord {
  /** The record as a whole waits; else only shares beside it. */
  is_whole: boolean
  is_waiting: boolean
  deleted: boolean
  shares: WaitingShare[]
}

/**
 * Locks a record with all that approving or rejecting it reaches, and finds what of it waits.
 * @param besides shares whose records are locked with it
 */
export async function lockWaiting(
  tx: Tx,
  record: StudyRecord,
  besides: readonly string[] = [],
): Promise<WaitingRecord> {
  await lockSharing(tx, record.study_uid)
  const shares = await listWaitingShares(tx, record)
  await lockReached(tx, {
    shares: [...shares.map((one) => one.uuid), ...besides],
    given: { from: record, toNamespace: record.phi_namespace },
  })
  const { rows } = await sql<Omit<WaitingRecord, 'shares'>>`
    select s.must_approve as is_whole, s.must_approve or s.has_waiting_shares as is_waiting,
      s.deleted_at is not null as deleted
    from study s
    where s.phi_namespace = ${record.phi_namespace} and s.uuid = ${record.uuid}
  `.execute(tx)
  return { ...(rows[0] ?? { is_whole: false, is_waiting: false, deleted: true }), shares }
}

/** Shares that gave a record what waits: all of a record that waits as a whole, else those that wait beside it. */
async function listWaitingShares(tx: Tx, key: { phi_namespace: string; uuid: string }): Promise<WaitingShare[]> {
  const { rows } = await sql<WaitingShare>`
    select h.uuid, h.to_kind, h.to_uuid, h.by_user, h.from_namespace, h.study_uuid, h.with_attachments, f.account_uuid,
      coalesce(u.email, '') as by_email
    from share h
    join study f on f.phi_namespace = h.from_namespace and f.uuid = h.study_uuid
    left join app_user u on u.uuid = h.by_user and not u.disabled
    where h.state = 'delivered'
      and h.uuid in (
        select o.share_uuid
        from ${sourcesOf(key)} o
        join study s on s.phi_namespace = o.phi_namespace and s.uuid = o.study_uuid
        where (s.must_approve or h.awaits_approval)
      )
    order by h.delivered_at, h.uuid
  `.execute(tx)
  return rows
}

/** Earlier approvals of a record, by its history: whether there was one, and the shares that they named. Uses audit_of_object. */
export async function listApprovals(
  tx: Tx,
  key: { phi_namespace: string; uuid: string },
): Promise<{ isApproved: boolean; shares: ReadonlySet<string> }> {
  const { rows } = await sql<{ shares: readonly string[] }>`
    select coalesce(a.detail -> 'shares', '[]') as shares
    from audit a
    where a.object_uuid = ${key.uuid} and a.phi_namespace = ${key.phi_namespace} and a.action = 'APPROVE'
      and a.type = 'Study'
  `.execute(tx)
  return { isApproved: rows.length > 0, shares: new Set(rows.flatMap((row) => row.shares)) }
}

/** Has nothing of a record wait any more. */
export async function markApproved(
  tx: Tx,
  key: { phi_namespace: string; uuid: string },
  shares: readonly WaitingShare[],
): Promise<void> {
  await sql`
    update share set awaits_approval = false where uuid = any(${shares.map((one) => one.uuid)}::uuid[])
  `.execute(tx)
  await sql`
    update study
    set must_approve = false, has_waiting_shares = false, updated = now(), row_version = row_version + 1
    where phi_namespace = ${key.phi_namespace} and uuid = ${key.uuid}
  `.execute(tx)
}

/** Writes the words of a rejection into the custom field reject_message of the sender's record, where its account has one. */
export async function putRejectMessage(
  tx: Tx,
  sender: Pick<WaitingShare, 'from_namespace' | 'study_uuid' | 'account_uuid'>,
  message: string,
): Promise<void> {
  await sql`
    update study s
    set customfields = s.customfields || jsonb_build_object(c.uuid, ${message}::text), updated = now(),
      row_version = s.row_version + 1
    from (
      select c.uuid
      from customfield c
      where c.account_uuid = ${sender.account_uuid} and c.object = 'Study' and c.deleted_at is null
        and c.type in ('text', 'memo') and lower(c.name) = 'reject_message'
      order by c.display_order nulls last, lower(c.name), c.uuid
      limit 1
    ) c
    where s.phi_namespace = ${sender.from_namespace} and s.uuid = ${sender.study_uuid}
  `.execute(tx)
}
