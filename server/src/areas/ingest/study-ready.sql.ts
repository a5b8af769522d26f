import { sql } from 'kysely'
import { isOwnStoredOf } from '../../access/record-sources.sql.ts'
import type { Tx } from '../../db/database.ts'

export type ReadyKey = { phi_namespace: string; uuid: string }

/**
 * Why a record is ready: nothing came for a while, its sender said that all is sent, images of another record joined it
 * (old ones restored beside, a copy kept, a separation, a merge), it was restored as a whole, or it waited for approval
 * and was approved.
 */
export type ReadyReason = 'quiet' | 'synced' | 'joined' | 'restored' | 'approved'

/** A record that became ready, for the first time or again. */
export type ReadyRecord = ReadyKey & {
  account_uuid: string
  /** 1 for the first time; with the record the name of this time, under which followers are asked for once. */
  number: number
  reason: ReadyReason
  /** Images that came since the time before, versions kept beside others included; of a restored record all. */
  images: number
}

/**
 * Enters that records are ready, and tells who watches. Records are skipped to which nothing came since the last time,
 * which have no images of their own, which are receiving still, which wait for approval, or which are deleted. The
 * caller holds the records locked.
 */
export async function insertReady(
  tx: Tx,
  records: readonly ReadyKey[],
  reason: ReadyReason,
  at: Date,
): Promise<ReadyRecord[]> {
  const { rows } = await sql<ReadyRecord>`
    with ready as (
      insert into study_ready (phi_namespace, study_uuid, number, reason, images, up_to_seq, at)
      select s.phi_namespace, s.uuid, coalesce(last.number, 0) + 1, ${reason}, n.images, n.up_to_seq, ${at}
      from unnest(
        ${records.map((one) => one.phi_namespace)}::uuid[],
        ${records.map((one) => one.uuid)}::uuid[]
      ) as r (phi_namespace, uuid)
      join study s on s.phi_namespace = r.phi_namespace and s.uuid = r.uuid
      cross join lateral (
        select t.storage_namespace, t.key
        from stored_study t
        where ${isOwnStoredOf('s')}
        limit 1
      ) t
      left join lateral (
        select l.number, l.up_to_seq
        from study_ready l
        where l.phi_namespace = s.phi_namespace and l.study_uuid = s.uuid
        order by l.number desc
        limit 1
      ) last on true
      cross join lateral (
        select count(*)::integer as images, max(i.seq) as up_to_seq
        from instance i
        where i.storage_namespace = t.storage_namespace and i.study_key = t.key
          and i.seq > case when ${reason} = 'restored' then 0 else coalesce(last.up_to_seq, 0) end
      ) n
      where s.arrival in ('complete', 'incomplete')
        and s.deleted_at is null
        and not s.must_approve
        and n.images > 0
      returning phi_namespace, study_uuid, number, reason, images
    ), told as (
      insert into event (namespace_uuid, kind, uuid)
      select phi_namespace, 'ready', study_uuid
      from ready
    )
    select y.phi_namespace, y.study_uuid as uuid, s.account_uuid, y.number, y.reason, y.images
    from ready y
    join study s on s.phi_namespace = y.phi_namespace and s.uuid = y.study_uuid
    order by y.phi_namespace, y.study_uuid
  `.execute(tx)
  return rows
}
