import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { ImageFacts } from './image-facts.ts'

/** Whether these very bytes are stored already as this instance of this namespace. */
export async function findStoredVersion(
  db: Db,
  storageNamespace: string,
  facts: Pick<ImageFacts, 'studyUid' | 'seriesUid' | 'sopUid'>,
  version: string,
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    /* prepared */
    select true as found
    from stored_study s
    join instance i on i.storage_namespace = s.storage_namespace and i.study_key = s.key
    join study r on r.phi_namespace = s.storage_namespace and r.study_uid = s.study_uid and r.deleted_at is null
    where s.storage_namespace = ${storageNamespace}
      and s.study_uid = ${facts.studyUid}
      and i.series_uid = ${facts.seriesUid}
      and i.sop_uid = ${facts.sopUid}
      and i.version = ${version}
  `.execute(db)
  return rows.length > 0
}

/** What the index holds of an instance, from its arrival on. */
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
  /** Of the bytes as they leave: with the preamble blanked. */
  crc32: number
  tail_crc32: number | null
  preamble_blank: boolean
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

const instanceColumns = sql`
  i.seq, i.series_uid, i.sop_uid, i.version, i.is_primary, i.sop_class, i.transfer_syntax, i.instance_number, i.frames,
  i.rows, i.columns, i.pixel_offset, i.length, i.crc32, i.tail_crc32, i.preamble_blank, i.arrived, i.account_uuid,
  encode(i.sha256, 'hex') as sha256, b.object_key, b.byte_offset`

/**
 * Every instance of a stored study, series by series and in the order of their numbers.
 * @param seriesUids, sopUids only these, when given
 */
export async function listInstances(
  db: Db,
  storageNamespace: string,
  studyUid: string,
  only: { seriesUids?: readonly string[]; sopUids?: readonly string[]; isWithConflicts?: boolean } = {},
): Promise<StoredInstance[]> {
  const { rows } = await sql<StoredInstance>`
    select ${instanceColumns}
    from stored_study s
    join instance i on i.storage_namespace = s.storage_namespace and i.study_key = s.key
    join series e on e.storage_namespace = i.storage_namespace and e.study_key = i.study_key and e.series_uid = i.series_uid
    join blob b on b.account_uuid = i.account_uuid and b.sha256 = i.sha256 and b.generation = i.generation
    where s.storage_namespace = ${storageNamespace}
      and s.study_uid = ${studyUid}
      and (i.is_primary or ${only.isWithConflicts ?? false})
      and (${only.seriesUids ?? null}::text[] is null or i.series_uid = any(${only.seriesUids ?? null}::text[]))
      and (${only.sopUids ?? null}::text[] is null or i.sop_uid = any(${only.sopUids ?? null}::text[]))
    order by e.series_number, e.first_seq, i.series_uid, i.instance_number, i.seq
  `.execute(db)
  return rows
}

/** One instance by its SOP Instance UID. Without a version, the one that came first. */
export async function findInstance(
  db: Db,
  storageNamespace: string,
  studyUid: string,
  sopUid: string,
  version?: string,
): Promise<StoredInstance | undefined> {
  const { rows } = await sql<StoredInstance>`
    /* prepared */
    select ${instanceColumns}
    from stored_study s
    join instance i on i.storage_namespace = s.storage_namespace and i.study_key = s.key
    join blob b on b.account_uuid = i.account_uuid and b.sha256 = i.sha256 and b.generation = i.generation
    where s.storage_namespace = ${storageNamespace}
      and s.study_uid = ${studyUid}
      and i.sop_uid = ${sopUid}
      and (${version ?? null}::uuid is null or i.version = ${version ?? null}::uuid)
    order by i.seq
    limit 1
  `.execute(db)
  return rows[0]
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

export async function listSeries(db: Db, storageNamespace: string, studyUid: string): Promise<StoredSeries[]> {
  const { rows } = await sql<StoredSeries>`
    select e.series_uid, e.modality, e.series_number, e.description, e.series_date, e.series_time, e.body_part,
      e.image_count, e.size
    from stored_study s
    join series e on e.storage_namespace = s.storage_namespace and e.study_key = s.key
    where s.storage_namespace = ${storageNamespace}
      and s.study_uid = ${studyUid}
    order by e.series_number, e.first_seq, e.series_uid
  `.execute(db)
  return rows
}

/** Which of these objects some blob lies in. */
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
