import { type RawBuilder, sql } from 'kysely'
import type { StudyScope } from '../../access/study-scope.ts'
import type { Db } from '../../db/database.ts'
import type { Search } from './read-search.ts'

export interface StudyMatch {
  phi_namespace: string
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
  series_count: number
  image_count: number
}

/** Visible, not deleted, with at least one image. */
function visible(scope: StudyScope): RawBuilder<unknown> {
  return sql`s.phi_namespace = any(${scope.namespaces.map((one) => one.namespaceUuid)})
      and s.deleted_at is null
      and s.arrival <> 'announced'
      and (not s.must_approve or s.phi_namespace = any(${[...scope.approving]}))
      and (${scope.onlyStudies === undefined} or s.uuid = any(${[...(scope.onlyStudies ?? [])]}::uuid[]))`
}

const studyColumns = sql`
  s.phi_namespace, s.study_uid, s.study_date, s.study_time, s.accession_number, s.referring_physician,
  s.study_description, s.patient_name, s.patientid, s.issuer, s.patient_birth_date, s.patient_sex, s.modalities,
  coalesce(t.series_count, 0) as series_count, coalesce(t.image_count, 0) as image_count`

export async function searchStudies(db: Db, scope: StudyScope, search: Search): Promise<StudyMatch[]> {
  const { rows } = await sql<StudyMatch>`
    select ${studyColumns}
    from study s
    left join stored_study t on t.storage_namespace = s.storage_namespace and t.study_uid = s.study_uid
    where ${visible(scope)}
      and ${search.where}
    order by s.created desc, s.uuid desc
    limit ${search.limit}
    offset ${search.offset}
  `.execute(db)
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
  e.modality, e.description, e.series_date, e.series_time, e.body_part, e.series_uid, e.series_number,
  e.image_count as series_images`

export async function searchSeries(db: Db, scope: StudyScope, search: Search): Promise<SeriesMatch[]> {
  const { rows } = await sql<SeriesMatch>`
    select ${studyColumns}, ${seriesColumns}
    from study s
    join stored_study t on t.storage_namespace = s.storage_namespace and t.study_uid = s.study_uid
    join series e on e.storage_namespace = t.storage_namespace and e.study_key = t.key
    where ${visible(scope)}
      and ${search.where}
    order by s.created desc, s.uuid desc, e.series_number, e.first_seq
    limit ${search.limit}
    offset ${search.offset}
  `.execute(db)
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

export async function searchInstances(db: Db, scope: StudyScope, search: Search): Promise<InstanceMatch[]> {
  const { rows } = await sql<InstanceMatch>`
    select ${studyColumns}, ${seriesColumns},
      i.sop_class, i.sop_uid, i.instance_number, i.frames, i.rows, i.columns, i.transfer_syntax
    from study s
    join stored_study t on t.storage_namespace = s.storage_namespace and t.study_uid = s.study_uid
    join series e on e.storage_namespace = t.storage_namespace and e.study_key = t.key
    join instance i on i.storage_namespace = e.storage_namespace and i.study_key = e.study_key and i.series_uid = e.series_uid
    where ${visible(scope)}
      and i.is_primary
      and ${search.where}
    order by s.created desc, s.uuid desc, e.series_number, e.first_seq, i.instance_number, i.seq
    limit ${search.limit}
    offset ${search.offset}
  `.execute(db)
  return rows
}
