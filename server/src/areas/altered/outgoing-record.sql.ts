import { sql } from 'kysely'
import { storedOfRecord } from '../../access/record-sources.sql.ts'
import type { Db } from '../../db/database.ts'
import type { ArrivingIdentity } from '../storage/ingest.sql.ts'
import type { StudyEdit } from './study-edit.ts'

/** Patient, exam and edits of a record as they go out with its study. */
export type OutgoingRecord = {
  patient_name: string
  patientid: string
  issuer: string
  patient_birth_date: string
  patient_sex: string
  study_date: string
  study_time: string
  study_description: string
  accession_number: string
  /** The images name more than one patient, and nobody has overruled that knowing all of them. */
  mixed_patients: boolean
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
    select s.patient_name, s.patientid, s.issuer, s.patient_birth_date, s.patient_sex, s.study_date, s.study_time,
      s.study_description, s.accession_number, s.edits, ${namesSeveral} as mixed_patients
    from study s
    where s.phi_namespace = ${phiNamespace}
      and s.uuid = ${uuid}
  `.execute(db)
  return rows[0]
}
