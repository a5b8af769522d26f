import { sql } from 'kysely'
import { hasLiveSource } from '../../access/record-sources.sql.ts'
import { passedOn, sourcesByShare, sourcesOf, sourcesPassedOn } from '../../access/source-rows.sql.ts'
import type { Tx } from '../../db/database.ts'

interface EndedSources {
  /** The shares that have no source left, the stopped one included. */
  shares: { uuid: string; study_uuid: string }[]
  /** The records that lost a source. */
  records: { phi_namespace: string; uuid: string; account_uuid: string; must_approve: boolean; is_deleted: boolean }[]
}

/** Ends the sources that a share and the earlier ones that go with it gave, and those that were passed on from them. */
export async function endSources(tx: Tx, shareUuid: string): Promise<EndedSources> {
  const { rows } = await sql<{ phi_namespace: string; study_uuid: string; share_uuid: string }>`
    with recursive ended as (${passedOn([shareUuid])})
    delete from study_source o
    using ended e
    where o.phi_namespace = e.phi_namespace and o.study_uuid = e.study_uuid
      and o.storage_namespace = e.storage_namespace and o.share_uuid = e.share_uuid
      and o.parent_share_uuid is not distinct from e.parent_share_uuid
    returning o.phi_namespace, o.study_uuid, o.share_uuid
  `.execute(tx)
  const { rows: shares } = await sql<EndedSources['shares'][number]>`
    select h.uuid, h.study_uuid
    from share h
    where (h.uuid = any(${[...new Set([shareUuid, ...rows.map((row) => row.share_uuid)])]}::uuid[])
        or (h.goes_with = ${shareUuid} and h.state in ('scheduled', 'delivered')))
      and (h.uuid = ${shareUuid} or not exists (select from ${sourcesByShare} o))
    order by h.uuid
  `.execute(tx)
  const { rows: records } = await sql<EndedSources['records'][number]>`
    select s.phi_namespace, s.uuid, s.account_uuid, s.must_approve, s.deleted_at is not null as is_deleted
    from study s
    where s.uuid = any(${rows.map((row) => row.study_uuid)}::uuid[])
    order by s.phi_namespace, s.uuid
  `.execute(tx)
  return { shares, records }
}

/**
 * Has what earlier shares of a record gave, and what was passed on, end no later than the share that they go with; and
 * what was passed on from its shares no later than these, which may have been given an earlier end.
 */
export async function boundByNewer(tx: Tx, studyUuid: string): Promise<void> {
  await sql`
    with recursive bound as (
      select o.phi_namespace, o.study_uuid, o.storage_namespace, o.generation, o.share_uuid, h.expires_at
      from share h
      join lateral ${sourcesByShare} o on true
      where h.study_uuid = ${studyUuid} and h.state = 'delivered' and h.expires_at is not null
      union
      select o.phi_namespace, o.study_uuid, o.storage_namespace, o.generation, o.share_uuid, g.expires_at
      from share h
      join share g on g.uuid = h.goes_with and g.state = 'delivered' and g.expires_at is not null
      join lateral ${sourcesByShare} o on true
      where h.study_uuid = ${studyUuid}
      union
      select o.phi_namespace, o.study_uuid, o.storage_namespace, o.generation, o.share_uuid, b.expires_at
      from bound b
      join lateral ${sourcesPassedOn} o on true
    )
    update study_source o
    set ends_at = b.expires_at
    from (
      select phi_namespace, study_uuid, storage_namespace, generation, share_uuid, min(expires_at) as expires_at
      from bound
      group by phi_namespace, study_uuid, storage_namespace, generation, share_uuid
    ) b
    where o.phi_namespace = b.phi_namespace and o.study_uuid = b.study_uuid and o.share_uuid = b.share_uuid
      and o.storage_namespace = b.storage_namespace and o.generation = b.generation
      and (o.ends_at is null or o.ends_at > b.expires_at)
  `.execute(tx)
}

/** Takes from a record that has images of its own, or of others, those that shares gave it. */
export async function endSourcesOf(
  tx: Tx,
  key: { phi_namespace: string; uuid: string },
  shares: readonly string[],
): Promise<void> {
  await sql`
    with recursive ended as (${passedOn(shares)})
    delete from study_source o
    using ended e
    where o.phi_namespace = ${key.phi_namespace} and o.study_uuid = ${key.uuid}
      and o.phi_namespace = e.phi_namespace and o.study_uuid = e.study_uuid and o.share_uuid = e.share_uuid
      and o.storage_namespace = e.storage_namespace and o.generation = e.generation
  `.execute(tx)
}

/**
 * Takes a record away that has no source any more; false when it has one. The history of the record stays, and the
 * record is purged later.
 */
export async function endRecordWithoutSource(tx: Tx, key: { phi_namespace: string; uuid: string }): Promise<boolean> {
  const { rows } = await sql`
    with gone as (
      update study s
      set deleted_at = coalesce(s.deleted_at, now()), updated = now(), row_version = s.row_version + 1
      where s.phi_namespace = ${key.phi_namespace} and s.uuid = ${key.uuid} and not ${hasLiveSource('s')}
      returning s.uuid
    ), unlocked as (
      delete from study_lock l using gone where l.study_uuid = gone.uuid
    )
    select uuid from gone
  `.execute(tx)
  return rows.length === 1
}

/**
 * Has a record wait for approval as a whole that has nothing left to show but what waits for approval; false when there
 * is something else, or nothing at all.
 */
export async function waitAsWhole(tx: Tx, key: { phi_namespace: string; uuid: string }): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with shown as (
      update share h
      set awaits_approval = false
      from study s
      where s.phi_namespace = ${key.phi_namespace} and s.uuid = ${key.uuid} and s.deleted_at is null
        and not ${hasLiveSource('s')}
        and h.state = 'delivered' and h.awaits_approval
        and h.uuid in (
          select o.share_uuid from ${sourcesOf('s')} o
        )
      returning h.message
    )
    update study s
    set must_approve = true, share_message = (select min(message) from shown), updated = now(), row_version = s.row_version + 1
    where s.phi_namespace = ${key.phi_namespace} and s.uuid = ${key.uuid} and exists (select from shown)
  `.execute(tx)
  return numAffectedRows === 1n
}

/** Records in a namespace that wait for the end of a share whose time is over: their place is free for a new one. */
export async function listSharesOver(tx: Tx, namespaceUuid: string, studyUid: string): Promise<string[]> {
  const { rows } = await sql<{ share_uuid: string }>`
    select distinct o.share_uuid
    from study s
    join lateral ${sourcesOf('s')} o on true
    where s.phi_namespace = ${namespaceUuid} and s.study_uid = ${studyUid} and s.deleted_at is null
      and o.share_uuid is not null and not ${hasLiveSource('s')}
      and not exists (select from share h where h.uuid = o.share_uuid and h.awaits_approval)
    order by o.share_uuid
  `.execute(tx)
  return rows.map((row) => row.share_uuid)
}
