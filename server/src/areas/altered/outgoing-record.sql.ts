import { sql } from 'kysely'
import { storedOfRecord } from '../../access/record-sources.sql.ts'
import type { Db } from '../../db/database.ts'
import { areOtherAuthoritiesIn } from '../storage/authority.sql.ts'
import type { ArrivingIdentity } from '../storage/ingest.sql.ts'
import type { StudyEdit } from './study-edit.ts'

/** Patient, exam and edits of a record as they go out with its study. */
export type OutgoingRecord = NumbersOfAll & {
  patient_name: string
  issuer: string
  patient_birth_date: string
  patient_sex: string
  study_date: string
  study_time: string
  study_description: string
  /** The images name more than one patient, and nobody has overruled that knowing all of them. */
  mixed_patients: boolean
  /** The images name several MRNs, and nobody wrote one having seen all of them. */
  several_mrns: boolean
  edits: StudyEdit[]
}

/** Every patient that the images of record `s` name, over all its sources. */
export const identitiesOfRecord = sql`(
  select coalesce(jsonb_agg(i.identity), '[]')
  from ${storedOfRecord} h
  cross join lateral jsonb_array_elements(h.identities) as i (identity)
)`

/** Whether the images of record `s` name several patients, of whom nobody said that they are one. */
export const namesSeveral = sql`
  s.mixed_patients and coalesce(not (s.mixed_overrule -> 'identities') @> ${identitiesOfRecord}, true)`

const isOfGate = sql`
  exists (select from app_group g where g.namespace_uuid = s.phi_namespace and g.designation = 'GATEKEEPER')`

/** An MRN that an image of record `s` carries though nobody who wrote the record's had seen it. */
const hasUnseenMrn = sql`
  exists (
    select
    from jsonb_array_elements(s.edits) as e (edit)
    cross join lateral ${storedOfRecord} h
    cross join lateral jsonb_array_elements(h.identities) as i (identity)
    where e.edit ->> 'tag' = 'patientid' and e.edit -> 'mrns' is not null
      and i.identity ->> 'patientid' <> ''
      and folded_id(i.identity ->> 'patientid') <> folded_id(s.patientid)
      and not exists (
        select
        from jsonb_array_elements_text(e.edit -> 'mrns') as seen (mrn)
        where folded_id(seen.mrn) = folded_id(i.identity ->> 'patientid')
      )
  )`

const hasWrittenMrn = sql`s.edits @> '[{"tag": "patientid"}]'`

/** Whether the images of record `s` name several MRNs, and nobody has written the one that all of them leave under. */
export const namesSeveralMrns = sql`(
  case when ${hasWrittenMrn} then ${hasUnseenMrn} else (
    select count(distinct folded_id(i.identity ->> 'patientid')) > 1
    from ${storedOfRecord} h
    cross join lateral jsonb_array_elements(h.identities) as i (identity)
    where i.identity ->> 'patientid' <> ''
  ) end
)`

/**
 * Whether the images of record `s` leave under the accession number of the record though not all of them name it: a
 * gatekeeper group sends each exam of one patient under one, that of the order or none.
 */
const hasOneOutgoingAccession = sql`(
  ${isOfGate}
  and not (${namesSeveral})
  and exists (
    select
    from ${storedOfRecord} h
    join instance i on i.storage_namespace = h.storage_namespace and i.study_key = h.key
    where i.accession_number is distinct from s.accession_number
  )
)`

/** An image of record `s` carries the digits of its MRN from another authority: by them it may be somebody else's. */
const hasDigitsOfOther = sql`
  exists (
    select
    from ${storedOfRecord} h
    cross join lateral jsonb_array_elements(h.identities) as i (identity)
    where folded_id(i.identity ->> 'patientid') = folded_id(s.patientid)
      and ${areOtherAuthoritiesIn(sql`coalesce(i.identity ->> 'issuer', '')`, sql`s.issuer`, sql`s.account_uuid`)}
  )`

/** The same of the MRN; an image without any gets that of the record too. */
const hasOneOutgoingMrn = sql`(
  ${isOfGate}
  and not (${namesSeveral})
  and s.patientid <> ''
  and case when ${hasWrittenMrn} then ${hasUnseenMrn} else exists (
    select
    from ${storedOfRecord} h
    cross join lateral jsonb_array_elements(h.identities) as i (identity)
    where folded_id(coalesce(i.identity ->> 'patientid', '')) <> folded_id(s.patientid)
  ) and not ${hasDigitsOfOther} end
)`

/** Numbers of record `s` that `correctionOf` needs besides its edits, so that all its images leave under one. */
export interface NumbersOfAll {
  accession_number: string
  patientid: string
  /** All images leave under the accession number of the record; else each has its own. */
  one_accession: boolean
  /** All images leave under the MRN of the record, which a gatekeeper group sends each exam under, though not all name it. */
  one_mrn: boolean
  /** YYYYMMDDHHMMSS in UTC. */
  created: string
}

export const numbersOfAll = sql`
  s.accession_number, s.patientid, ${hasOneOutgoingAccession} as one_accession, ${hasOneOutgoingMrn} as one_mrn,
  to_char(s.created at time zone 'UTC', 'YYYYMMDDHH24MISS') as created`

/** MRNs that the images of a record of one patient carry, each in one spelling; none where they carry one or somebody wrote it. */
export async function listSeveralMrns(db: Db, phiNamespace: string, uuid: string): Promise<string[]> {
  const { rows } = await sql<{ mrn: string }>`
    select min(i.identity ->> 'patientid') as mrn
    from study s
    cross join lateral ${storedOfRecord} h
    cross join lateral jsonb_array_elements(h.identities) as i (identity)
    where s.phi_namespace = ${phiNamespace}
      and s.uuid = ${uuid}
      and i.identity ->> 'patientid' <> ''
      and ${namesSeveralMrns}
      and not (${namesSeveral})
    group by folded_id(i.identity ->> 'patientid')
    order by mrn
  `.execute(db)
  return rows.map((one) => one.mrn)
}

/** MRNs that the images of a record carry, in each spelling. */
export async function listMrnsOfImages(db: Db, record: { phi_namespace: string; uuid: string }): Promise<string[]> {
  const identities = await listIdentitiesOfRecord(db, record.phi_namespace, record.uuid)
  return [...new Set(identities.map((one) => one.patientid))].filter((mrn) => mrn !== '').toSorted()
}

/** Every patient that the images of a record name. */
export async function listIdentitiesOfRecord(db: Db, phiNamespace: string, uuid: string): Promise<ArrivingIdentity[]> {
  const { rows } = await sql<{ identities: ArrivingIdentity[] }>`
    select ${identitiesOfRecord} as identities
    from study s
    where s.phi_namespace = ${phiNamespace}
      and s.uuid = ${uuid}
  `.execute(db)
  return rows[0]?.identities ?? []
}

export async function findOutgoingRecord(
  db: Db,
  phiNamespace: string,
  uuid: string,
): Promise<OutgoingRecord | undefined> {
  const { rows } = await sql<OutgoingRecord>`
    select s.patient_name, s.issuer, s.patient_birth_date, s.patient_sex, s.study_date, s.study_time,
      s.study_description, s.edits, ${namesSeveral} as mixed_patients, ${namesSeveralMrns} as several_mrns,
      ${numbersOfAll}
    from study s
    where s.phi_namespace = ${phiNamespace}
      and s.uuid = ${uuid}
  `.execute(db)
  return rows[0]
}
