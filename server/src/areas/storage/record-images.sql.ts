import { type RawBuilder, sql } from 'kysely'
import { isOfFirstSource, isShown, storedOfRecord } from '../../access/record-sources.sql.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Db } from '../../db/database.ts'
import type { StoredKey } from './ingest.sql.ts'
import { instanceColumns, type StoredInstance, type StoredSeries } from './instance.sql.ts'

/*
 * The images of a record: those of its live sources, and where several hold one SOP Instance UID, the first source's.
 * Every reader of images asks here, with the record that the caller may see, which says whether its reports are withheld. How the images leave (corrections, patients)
 * is the record's own affair: `outgoing-record.sql.ts`.
 */

export type RecordName = Pick<StudyRecord, 'phi_namespace' | 'uuid' | 'study_uid'>
/** A record as one reader sees it. */
export type RecordKey = RecordName & Pick<StudyRecord, 'withholds_reports' | 'withholds_former'>

/** A part of a `with`: the stored studies of a record as `h`. */
export const storedOf = ({ phi_namespace, uuid, study_uid }: RecordName): RawBuilder<unknown> => sql`
    h as materialized (
      select h.*
      from (
        select ${phi_namespace}::uuid as phi_namespace, ${uuid}::uuid as uuid, ${study_uid}::text as study_uid
      ) s
      cross join lateral ${storedOfRecord} h
    )`

/** The series as `e`, each as the first source that has it describes it. */
const series = sql`
    e as materialized (
      select distinct on (e.series_uid) e.*, h.sources
      from h
      join series e on e.storage_namespace = h.storage_namespace and e.study_key = h.key
      where e.image_count > 0
      order by e.series_uid, h.place
    )`

type ImageChoice = {
  seriesUids?: readonly string[]
  sopUids?: readonly string[]
  /** Also the versions that are not shown, of every source. */
  isWithConflicts?: boolean
}

/** Every image of a record, series by series and in the order of their numbers. */
export async function listImages(db: Db, record: RecordKey, only: ImageChoice = {}): Promise<StoredInstance[]> {
  const { rows } = await sql<StoredInstance>`
    with ${storedOf(record)}, ${series}
    select ${instanceColumns}
    from h
    join instance i on i.storage_namespace = h.storage_namespace and i.study_key = h.key
    join e on e.series_uid = i.series_uid
    join blob b on b.account_uuid = i.account_uuid and b.sha256 = i.sha256 and b.generation = i.generation
    where ${only.isWithConflicts ? sql`true` : sql`i.is_primary and ${isOfFirstSource}`}
      and ${isShown(record.withholds_reports)}
      and (${only.seriesUids ?? null}::text[] is null or i.series_uid = any(${only.seriesUids ?? null}::text[]))
      and (${only.sopUids ?? null}::text[] is null or i.sop_uid = any(${only.sopUids ?? null}::text[]))
    order by e.series_number, e.first_seq, i.series_uid, i.instance_number, i.seq
  `.execute(db)
  return rows
}

/** Enters accession numbers of images into the index, which came before it kept them, by their versions. */
export async function storeAccessions(
  db: Db,
  record: RecordKey,
  read: readonly { version: string; accession_number: string }[],
): Promise<void> {
  const [versions, numbers] = [read.map((one) => one.version), read.map((one) => one.accession_number)]
  await sql`
    with ${storedOf(record)}
    update instance i
    set accession_number = one.accession_number
    from h
    cross join unnest(${versions}::uuid[], ${numbers}::text[]) as one (version, accession_number)
    where i.storage_namespace = h.storage_namespace and i.study_key = h.key
      and i.version = one.version and i.accession_number is null
  `.execute(db)
}

/** One image of a record by its SOP Instance UID. Without a version, the one that is shown. */
export async function findImage(
  db: Db,
  record: RecordKey,
  sopUid: string,
  version?: string,
): Promise<StoredInstance | undefined> {
  const { rows } = await sql<StoredInstance>`
    /* prepared */
    with ${storedOf(record)}
    select ${instanceColumns}
    from h
    join instance i on i.storage_namespace = h.storage_namespace and i.study_key = h.key
    join blob b on b.account_uuid = i.account_uuid and b.sha256 = i.sha256 and b.generation = i.generation
    where i.sop_uid = ${sopUid}
      and ${isShown(record.withholds_reports)}
      and (${version ?? null}::uuid is null or i.version = ${version ?? null}::uuid)
    order by h.place, i.is_primary desc, i.seq
    limit 1
  `.execute(db)
  return rows[0]
}

/** The series of a record that have images to show. */
export async function listSeries(db: Db, record: RecordKey): Promise<StoredSeries[]> {
  const isCounted = record.withholds_reports
  const { rows } = await sql<StoredSeries>`
    with ${storedOf(record)}, ${series}, c as (
      select i.series_uid, count(*) filter (where i.is_primary)::integer as images, sum(i.length)::bigint as bytes
      from h
      join instance i on i.storage_namespace = h.storage_namespace and i.study_key = h.key
      where ${isCounted ? sql`true` : sql`h.sources > 1`}
        and ${isOfFirstSource}
        and ${isShown(record.withholds_reports)}
      group by i.series_uid
    )
    select e.series_uid, e.modality, e.series_number, e.description, e.series_date, e.series_time, e.body_part,
      coalesce(c.images, e.image_count) as image_count, coalesce(c.bytes, e.size) as size
    from e
    left join c on c.series_uid = e.series_uid
    where ${isCounted ? sql`c.images > 0` : sql`e.sources = 1 or c.images > 0`}
    order by e.series_number, e.first_seq, e.series_uid
  `.execute(db)
  return rows
}

/** How many objects of each SOP class a record shows. */
export async function countBySopClass(db: Db, record: RecordKey): Promise<{ sop_class: string; count: number }[]> {
  const { rows } = await sql<{ sop_class: string; count: number }>`
    with ${storedOf(record)}
    select i.sop_class, count(*)::integer as count
    from h
    join instance i on i.storage_namespace = h.storage_namespace and i.study_key = h.key
    where i.is_primary
      and ${isOfFirstSource}
      and ${isShown(record.withholds_reports)}
    group by i.sop_class
    order by i.sop_class
  `.execute(db)
  return rows
}

/** The stored studies of a record, the first source first. */
export async function listSources(db: Db, record: RecordName): Promise<StoredKey[]> {
  const { rows } = await sql<StoredKey>`
    with ${storedOf(record)}
    select h.storage_namespace, ${record.study_uid}::text as study_uid, h.generation
    from h
    order by h.place
  `.execute(db)
  return rows
}

/** The stored study that holds what arrives for a record in its own namespace, and so what may be deleted there. */
export async function findOwnStored(db: Db, record: RecordName): Promise<StoredKey | undefined> {
  const sources = await listSources(db, record)
  return sources.findLast((one) => one.storage_namespace === record.phi_namespace)
}
