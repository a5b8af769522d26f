import { sql } from 'kysely'
import { isOfFirstSource } from '../../access/record-sources.sql.ts'
import type { Db, Tx } from '../../db/database.ts'
import type { LockedStoredStudy } from '../storage/ingest.sql.ts'
import { type RecordKey, storedOf } from '../storage/record-images.sql.ts'

export interface ConflictVersion {
  sop_uid: string
  series_uid: string
  version: string
  is_primary: boolean
  is_settled: boolean
  arrived: string
  source: string
  source_name: string
  /** Of the namespace that stores it. */
  storage_namespace: string
}

/**
 * Every version, over all sources, of the images of which there are several, the images that nobody settled first.
 * Equal bytes in several sources are one version.
 */
export async function listConflicts(
  db: Db,
  record: RecordKey,
  sopUid: string | undefined,
  images: number,
): Promise<ConflictVersion[]> {
  const { rows } = await sql<ConflictVersion>`
    with ${storedOf(record)}, several as (
      select i.sop_uid, bool_and(i.is_settled) as is_settled
      from h
      join instance i on i.storage_namespace = h.storage_namespace and i.study_key = h.key
      where ${sopUid ?? null}::text is null or i.sop_uid = ${sopUid ?? null}
      group by i.sop_uid
      having count(distinct (i.series_uid, i.version)) > 1
      order by bool_and(i.is_settled), i.sop_uid
      limit ${images}
    ), versions as (
      select distinct on (i.sop_uid, i.series_uid, i.version) i.*, h.place, v.is_settled as is_all_settled,
        i.is_primary and ${isOfFirstSource} as is_shown
      from several v
      cross join h
      join instance i on i.storage_namespace = h.storage_namespace and i.study_key = h.key and i.sop_uid = v.sop_uid
      order by i.sop_uid, i.series_uid, i.version, h.place
    )
    select i.sop_uid, i.series_uid, i.version, i.is_shown as is_primary, i.is_settled, i.source, i.source_name,
      i.storage_namespace, to_char(i.arrived at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as arrived
    from versions i
    order by i.is_all_settled, i.sop_uid, i.place, i.seq
  `.execute(db)
  return rows
}

/** Shows one version of an image and notes that all of them were known; gives those shown before, or nothing where it is not. */
export async function showVersion(
  tx: Tx,
  stored: Pick<LockedStoredStudy, 'storage_namespace' | 'key'>,
  one: { sop_uid: string; series_uid: string; version: string },
): Promise<string[] | undefined> {
  const { rows } = await sql<{ version: string; was_shown: boolean }>`
    update instance i
    set is_primary = i.series_uid = ${one.series_uid} and i.version = ${one.version}, is_settled = true
    from instance b
    where i.storage_namespace = ${stored.storage_namespace}
      and i.study_key = ${stored.key}
      and i.sop_uid = ${one.sop_uid}
      and b.storage_namespace = i.storage_namespace
      and b.study_key = i.study_key
      and b.series_uid = i.series_uid
      and b.sop_uid = i.sop_uid
      and b.version = i.version
      and exists (
        select
        from instance c
        where c.storage_namespace = i.storage_namespace and c.study_key = i.study_key and c.sop_uid = i.sop_uid
          and c.series_uid = ${one.series_uid} and c.version = ${one.version}
      )
    returning i.version, b.is_primary as was_shown
  `.execute(tx)
  if (rows.length === 0) return undefined
  return rows.filter((row) => row.was_shown).map((row) => row.version)
}
