import { type RawBuilder, sql } from 'kysely'
import { countsFor, hasLiveSource, isOfFirstSource, isShown, storedOfRecord } from '../../access/record-sources.sql.ts'
import type { StudyScope } from '../../access/study-scope.ts'
import type { Db } from '../../db/database.ts'
import type { RecordEdit } from '../altered/record-edits.ts'
import type { Search } from './read-search.ts'

export interface StudyMatch {
  phi_namespace: string
  /** Where the header lies that is read for it: of a study the first source that has images. */
  storage_namespace: string | null
  study_key: number | null
  study_uid: string
  study_date: string
  study_time: string
  accession_number: string
  referring_physician: string
  study_description: string
  patient_name: string
  patientid: string
  issuer: string
  patient_birth_date: string
  patient_sex: string
  modalities: string[]
  thin: boolean
  edits: RecordEdit[]
  series_count: number
  image_count: number
}

type Matching = Pick<Search, 'where' | 'limit' | 'offset'>

/** Visible, not deleted, with at least one image. */
function visible(scope: StudyScope, record: 's' | 'd'): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${record}.${name}`)
  return sql`${column('deleted_at')} is null
      and ${column('arrival')} <> 'announced'
      and ${hasLiveSource(record)}
      and (not ${column('must_approve')} or ${column('phi_namespace')} = any(${[...scope.approving]}))
      and (${scope.onlyStudies === undefined} or ${column('uuid')} = any(${[...(scope.onlyStudies ?? [])]}::uuid[]))`
}

/**
 * The records of a scope, one of each study: where several namespaces hold a record of it, that of the namespace which
 * comes first, as retrieving takes it too. Each namespace gives only as many as the page can need, newest first,
 * because ordering all of them at once reads every index to its end. `offset 0` makes the look for another record one
 * by the study's UID alone; joined, it reads whole namespaces where PostgreSQL knows too little of the table.
 */
function records(scope: StudyScope, where: RawBuilder<unknown>, most: number | undefined): RawBuilder<unknown> {
  const namespaces = scope.namespaces.map((one) => one.namespaceUuid)
  const [only] = namespaces
  if (only !== undefined && namespaces.length === 1) {
    // as a value in the statement: how much the namespace holds decides which index is the best
    return sql`(
      select s.*
      from study s
      where s.phi_namespace = ${only}
        and ${visible(scope, 's')}
        and ${where}
      order by s.created desc, s.uuid desc
      limit ${most ?? null}
    ) s`
  }
  return sql`unnest(${namespaces}::uuid[]) with ordinality as n(namespace, place)
    cross join lateral (
      select s.*
      from study s
      where s.phi_namespace = n.namespace
        and ${visible(scope, 's')}
        and not exists (
          select
          from (select * from study where study_uid = s.study_uid offset 0) d
          where array_position(${namespaces}::uuid[], d.phi_namespace) < n.place
            and ${visible(scope, 'd')}
        )
        and ${where}
      order by s.created desc, s.uuid desc
      limit ${most ?? null}
    ) s`
}

const studyColumns = (scope: StudyScope) => sql`
  s.phi_namespace, s.uuid, s.study_uid, s.study_date, s.study_time, s.accession_number,
  s.referring_physician, s.study_description, s.patient_name, s.patientid, s.issuer, s.patient_birth_date, s.patient_sex,
  ${scope.withholdsReports ? shownModalities(scope) : sql`s.modalities`} as modalities, s.thin, s.edits`

/** The modalities of the series of record `s` of which an image is shown. */
const shownModalities = (scope: StudyScope) => sql`array(
    select distinct e.modality
    from ${storedOfRecord} h
    join series e on e.storage_namespace = h.storage_namespace and e.study_key = h.key
    where exists (
        select
        from instance i
        where i.storage_namespace = e.storage_namespace and i.study_key = e.study_key and i.series_uid = e.series_uid
          and i.is_primary
          and ${isShown(scope.withholdsReports)}
      )
    order by e.modality
  )`

/** The matches of a page with what their records show in sum, each record counted once. */
function withCounts<Match>(db: Db, scope: StudyScope, { limit, offset }: Matching, question: RawBuilder<unknown>) {
  return sql<Match>`
    with page as materialized (
      select row_number() over () as place, p.*
      from (
        ${question}
        limit ${limit}
        offset ${offset}
      ) p
    ), sums as materialized (
      select s.uuid, c.series_count, c.image_count
      from (select distinct phi_namespace, uuid, study_uid from page) s
      cross join lateral ${countsFor(scope.withholdsReports)} c
    )
    select page.*, sums.series_count::integer as series_count, sums.image_count::integer as image_count
    from page
    join sums on sums.uuid = page.uuid
    order by page.place
  `.execute(db)
}

export async function listMatchingStudies(db: Db, scope: StudyScope, search: Matching): Promise<StudyMatch[]> {
  const { rows } = await withCounts<StudyMatch>(
    db,
    scope,
    search,
    sql`
      select ${studyColumns(scope)}, h.storage_namespace, h.key as study_key
      from ${records(scope, search.where, search.offset + search.limit)}
      left join lateral (
        select h.storage_namespace, h.key
        from ${storedOfRecord} h
        where h.image_count > 0
        order by h.place
        limit 1
      ) h on true
      order by s.created desc, s.uuid desc`,
  )
  return rows
}

export interface SeriesMatch extends StudyMatch {
  modality: string
  description: string
  series_date: string
  series_time: string
  body_part: string
  series_uid: string
  series_number: number | null
  series_images: number
}

const seriesColumns = sql`
  h.storage_namespace, h.key as study_key, e.modality, e.description, e.series_date, e.series_time, e.body_part, e.series_uid, e.series_number,
  e.images as series_images`

/** Condition on series `e` of source `h`: no source in front has the series too. */
const isFirstOfSeries = sql`(
  h.place = 1
  or not exists (
    select
    from unnest(h.before_namespaces, h.before_keys) as p (storage_namespace, key)
    join series d on d.storage_namespace = p.storage_namespace and d.study_key = p.key
    where d.series_uid = e.series_uid and d.image_count > 0
  )
)`

/**
 * The series of source `h`, each with the number of its images that the record shows. `offset 0` lets each be counted
 * once, before its images are looked at.
 */
const seriesOfSource = (scope: StudyScope) => sql`(
  select e.*,
    case when h.sources = 1 and not ${scope.withholdsReports}::boolean then e.image_count else (
      select count(*)::integer
      from ${storedOfRecord} h
      join instance i on i.storage_namespace = h.storage_namespace and i.study_key = h.key
      where i.series_uid = e.series_uid
        and i.is_primary
        and ${isOfFirstSource}
        and ${isShown(scope.withholdsReports)}
    ) end as images
  from series e
  where e.storage_namespace = h.storage_namespace
    and e.study_key = h.key
    and e.image_count > 0
  offset 0
) e`

/** @param within conditions on the record alone */
export async function listMatchingSeries(
  db: Db,
  scope: StudyScope,
  search: Matching,
  within: RawBuilder<unknown>,
): Promise<SeriesMatch[]> {
  const { rows } = await withCounts<SeriesMatch>(
    db,
    scope,
    search,
    sql`
      select ${studyColumns(scope)}, ${seriesColumns}
      from ${records(scope, within, undefined)}
      cross join lateral ${storedOfRecord} h
      cross join lateral ${seriesOfSource(scope)}
      where e.images > 0
        and ${isFirstOfSeries}
        and ${search.where}
      order by s.created desc, s.uuid desc, e.series_number, e.first_seq`,
  )
  return rows
}

export interface InstanceMatch extends SeriesMatch {
  sop_class: string
  sop_uid: string
  instance_number: number | null
  frames: number
  rows: number | null
  columns: number | null
  transfer_syntax: string
}

/** @param within conditions on the record alone */
export async function listMatchingInstances(
  db: Db,
  scope: StudyScope,
  search: Matching,
  within: RawBuilder<unknown>,
): Promise<InstanceMatch[]> {
  const { rows } = await withCounts<InstanceMatch>(
    db,
    scope,
    search,
    sql`
      select ${studyColumns(scope)}, ${seriesColumns},
        i.sop_class, i.sop_uid, i.instance_number, i.frames, i.rows, i.columns, i.transfer_syntax
      from ${records(scope, within, undefined)}
      cross join lateral ${storedOfRecord} h
      cross join lateral ${seriesOfSource(scope)}
      join instance i on i.storage_namespace = e.storage_namespace and i.study_key = e.study_key
        and i.series_uid = e.series_uid
      where i.is_primary
        and ${isOfFirstSource}
        and ${isShown(scope.withholdsReports)}
        and ${search.where}
      order by s.created desc, s.uuid desc, e.series_number, e.first_seq, i.instance_number, i.seq`,
  )
  return rows
}
