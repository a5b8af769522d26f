import { sql } from 'kysely'
import { drawsOnStored, isOwnStoredOf, storedOfRecord } from '../../access/record-sources.sql.ts'
import type { Db } from '../../db/database.ts'

/** Images of a series from which on its metadata are written ahead: fewer are told as quickly when somebody asks. */
const WORTH_IMAGES = 32
/** Bytes in front of the pixels of one image that take as long. */
const WORTH_HEADER_BYTES = 256 * 1024

/** Condition: series `e` takes so long to tell that it is worth to do so before somebody asks. */
const isWorth = sql`(
  e.image_count >= ${WORTH_IMAGES}
  or exists (
    select
    from instance i
    where i.storage_namespace = e.storage_namespace and i.study_key = e.study_key and i.series_uid = e.series_uid
      and coalesce(i.pixel_offset, i.length) > ${WORTH_HEADER_BYTES}
  )
)`

/**
 * Of these records, and of all that draw on what they store, those with a series to write ahead. Records that are
 * receiving are left out: they settle later.
 */
export async function listRecordsToWriteAhead(db: Db, uuids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    select s.uuid
    from (
      select unnest(${uuids as string[]}::uuid[]) as uuid
      union
      select s.uuid
      from study d
      join stored_study t on ${isOwnStoredOf('d')}
      join study s on ${drawsOnStored}
      where d.uuid = any(${uuids as string[]}::uuid[])
    ) r
    join study s on s.uuid = r.uuid
    where s.deleted_at is null
      and s.arrival in ('complete', 'incomplete')
      and exists (
        select
        from ${storedOfRecord} h
        join series e on e.storage_namespace = h.storage_namespace and e.study_key = h.key
        where ${isWorth}
      )
    order by s.uuid
  `.execute(db)
  return rows.map((one) => one.uuid)
}

/** The series of a record that are worth to be written ahead. */
export async function listSeriesToWriteAhead(db: Db, uuid: string): Promise<string[]> {
  const { rows } = await sql<{ series_uid: string }>`
    select e.series_uid
    from study s
    cross join lateral ${storedOfRecord} h
    join series e on e.storage_namespace = h.storage_namespace and e.study_key = h.key
    where s.uuid = ${uuid}
      and ${isWorth}
    group by e.series_uid
    order by min(e.first_seq)
  `.execute(db)
  return rows.map((one) => one.series_uid)
}
