import { type RawBuilder, sql } from 'kysely'
import { drawsOnStored } from '../../access/record-sources.sql.ts'
import { sourcesOf } from '../../access/source-rows.sql.ts'
import type { Db } from '../../db/database.ts'
import type { StoredKey } from '../storage/ingest.sql.ts'

/** The records that show a stored study, as `s`. */
const showing = (key: StoredKey): RawBuilder<unknown> => sql`
  from stored_study t
  join study s on ${drawsOnStored}
  where t.storage_namespace = ${key.storage_namespace} and t.study_uid = ${key.study_uid}
    and t.generation = ${key.generation} and s.deleted_at is null`

/** Acts on the records that show a stored study which its images must not change under. */
export async function findRunning(db: Db, key: StoredKey): Promise<{ nominated: boolean; pushing: boolean }> {
  const { rows } = await sql<{ nominated: boolean; pushing: boolean }>`
    with s as (select s.phi_namespace, s.uuid ${showing(key)})
    select
      exists (
        select from s join nomination n on n.gate_uuid = s.uuid or n.study_uuid = s.uuid where n.state = 'nominated'
      ) as nominated,
      exists (
        select
        from s
        join push p on p.phi_namespace = s.phi_namespace and p.study_uuid = s.uuid
        where p.status in ('N', 'I', 'P')
      ) as pushing
  `.execute(db)
  return rows[0] ?? { nominated: false, pushing: false }
}

/** Whether a person other than this one holds the courtesy lock of a record. */
export async function isHeldByOther(db: Db, uuid: string, userUuid: string): Promise<boolean> {
  const { rows } = await sql`
    select l.user_uuid
    from study_lock l
    where l.study_uuid = ${uuid} and l.until > now() and l.user_uuid <> ${userUuid}
  `.execute(db)
  return rows.length > 0
}

/** Whether images of a record are being moved. */
export async function isSeparating(db: Db, uuid: string): Promise<boolean> {
  const { rows } = await sql`
    select p.uuid
    from separation p
    where (p.study_uuid = ${uuid} or p.to_study_uuid = ${uuid}) and p.state = 'making'
  `.execute(db)
  return rows.length > 0
}

/** Everywhere that the images of a stored study are shown, or were sent, beside its own record. */
export async function findReach(
  db: Db,
  key: StoredKey,
  uuid: string,
): Promise<{ places: number; copies: number; links: number; pushed_to: string[] }> {
  const { rows } = await sql<{ places: number; copies: number; links: number; pushed_to: string[] }>`
    with s as (select s.phi_namespace, s.uuid ${showing(key)})
    select
      (select count(*)::integer from s where s.uuid <> ${uuid}) as places,
      (
        select count(distinct o.study_uuid)::integer
        from study d
        join lateral ${sourcesOf('d')} o on true
        where d.study_uid = ${key.study_uid} and d.deleted_at is null and o.copied_from && array(select uuid from s)
      ) as copies,
      (
        select count(*)::integer
        from s
        join link_study ls on ls.phi_namespace = s.phi_namespace and ls.study_uuid = s.uuid
        join link l on l.uuid = ls.link_uuid
        where l.ended_at is null and l.expires_at > now()
      ) as links,
      array(
        select distinct p.destination_name
        from s
        join push p on p.phi_namespace = s.phi_namespace and p.study_uuid = s.uuid
        where cardinality(p.sent) > 0 or p.status = 'S'
        order by p.destination_name
      ) as pushed_to
  `.execute(db)
  return rows[0] ?? { places: 0, copies: 0, links: 0, pushed_to: [] }
}
