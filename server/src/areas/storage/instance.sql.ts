import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { ImageFacts } from './image-facts.ts'
import type { StoredKey } from './ingest.sql.ts'

/**
 * Other studies of a namespace that hold an image of one SOP UID. Uses instance_by_sop_uid; each step stands by itself, so
 * that PostgreSQL looks both up by their keys before it has analysed the tables.
 */
export function otherStudiesOf(
  storageNamespace: RawBuilder<string>,
  studyKey: RawBuilder<number>,
  sopUid: RawBuilder<string>,
): RawBuilder<{ study_uid: string }> {
  return sql`
    select other.study_uid
    from (
      select e.study_key
      from instance e
      where e.storage_namespace = ${storageNamespace} and e.sop_uid = ${sopUid} and e.study_key <> ${studyKey}
      offset 0
    ) found
    cross join lateral (
      select e.study_uid
      from stored_study e
      where e.key = found.study_key and e.storage_namespace = ${storageNamespace} and e.ended_at is null
      offset 0
    ) other`
}

/**
 * Whether these very bytes, or others that hold the same, are stored already as this instance of this namespace: the
 * other studies of the namespace with an image of its SOP UID then, mostly none.
 */
export async function findStoredVersion(
  db: Db,
  storageNamespace: string,
  facts: Pick<ImageFacts, 'studyUid' | 'seriesUid' | 'sopUid'>,
  version: string,
): Promise<{ elsewhere: string[] } | undefined> {
  const { rows } = await sql<{ elsewhere: string[] }>`
    /* prepared */
    select array(
      select distinct t.study_uid
      from (${otherStudiesOf(sql`s.storage_namespace`, sql`s.key`, sql`i.sop_uid`)}) t
      order by t.study_uid
    ) as elsewhere
    from stored_study s
    join instance i on i.storage_namespace = s.storage_namespace and i.study_key = s.key
    join study r on r.phi_namespace = s.storage_namespace and r.study_uid = s.study_uid and r.deleted_at is null
    where s.storage_namespace = ${storageNamespace}
      and s.study_uid = ${facts.studyUid}
      and s.ended_at is null
      and i.series_uid = ${facts.seriesUid}
      and i.sop_uid = ${facts.sopUid}
      and (i.version = ${version} or exists (
        select
        from same_content c
        where c.storage_namespace = i.storage_namespace and c.study_key = i.study_key and c.sop_uid = i.sop_uid
          and c.version = ${version} and c.stored_version = i.version
      ))
    limit 1
  `.execute(db)
  return rows[0]
}

/** An instance as the index holds it, from its arrival on. */
export type IndexedInstance = {
  series_uid: string
  sop_uid: string
  version: string
  is_primary: boolean
  sop_class: string
  transfer_syntax: string
  instance_number: number | null
  frames: number
  rows: number | null
  columns: number | null
  pixel_offset: number | null
  length: number
  /** Of the stored bytes as they leave: with the preamble blanked, and from `bare_start` on. */
  crc32: number
  tail_crc32: number | null
  preamble_blank: boolean
  /** Where the data set begins in a file that came without preamble or group 0002; null in all others. */
  bare_start: number | null
  /** As the image names it; null of images that came before the index kept it. */
  accession_number: string | null
  account_uuid: string
  /** Hex. */
  sha256: string
}

/** One instance and where its bytes lie. */
export type StoredInstance = IndexedInstance & {
  seq: number
  arrived: Date
  object_key: string
  byte_offset: number
}

/** Of image `i` and its blob `b`. */
export const instanceColumns = sql`
  i.seq, i.series_uid, i.sop_uid, i.version, i.is_primary, i.sop_class, i.transfer_syntax, i.instance_number, i.frames,
  i.rows, i.columns, i.pixel_offset, i.length, i.crc32, i.tail_crc32, i.preamble_blank, i.bare_start, i.accession_number, i.arrived, i.account_uuid,
  encode(i.sha256, 'hex') as sha256, b.object_key, b.byte_offset`

/** Every version of every image of a stored study, for who writes there. Readers ask for the images of a record. */
export async function listStoredInstances(db: Db, stored: StoredKey): Promise<StoredInstance[]> {
  const { rows } = await sql<StoredInstance>`
    select ${instanceColumns}
    from stored_study s
    join instance i on i.storage_namespace = s.storage_namespace and i.study_key = s.key
    join blob b on b.account_uuid = i.account_uuid and b.sha256 = i.sha256 and b.generation = i.generation
    where s.storage_namespace = ${stored.storage_namespace}
      and s.study_uid = ${stored.study_uid}
      and s.generation = ${stored.generation}
    order by i.seq
  `.execute(db)
  return rows
}

export type StoredSeries = {
  series_uid: string
  modality: string
  series_number: number | null
  description: string
  series_date: string
  series_time: string
  body_part: string
  image_count: number
  size: number
}

/** The keys, among these, of objects in which some blob lies. */
export async function listReferencedKeys(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ object_key: string }>`
    /* prepared */
    select b.object_key
    from blob b
    where b.store = 'fs'
      and b.object_key = any(${keys as string[]})
  `.execute(db)
  return new Set(rows.map((row) => row.object_key))
}
