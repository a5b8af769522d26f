import { sql } from 'kysely'
import { hasLiveSource } from '../../access/record-sources.sql.ts'
import type { StudyScope } from '../../access/study-scope.ts'
import type { Db } from '../../db/database.ts'
import type { ComparedPatient } from '../storage/compared-patient.ts'

export interface PatientRow extends ComparedPatient {
  phi_namespace: string
  uuid: string
  study_uid: string
  study_date: string
}

/** Columns of record `s` by which patients are compared. */
export const patientColumns = sql`
  s.phi_namespace, s.uuid, s.study_uid, s.patient_name, s.patientid, s.issuer, s.patient_birth_date, s.patient_sex, s.study_date`

export async function findPatient(
  db: Db,
  key: { phi_namespace: string; uuid: string },
): Promise<PatientRow | undefined> {
  const { rows } = await sql<PatientRow>`
    select ${patientColumns}
    from study s
    where s.phi_namespace = ${key.phi_namespace} and s.uuid = ${key.uuid}
  `.execute(db)
  return rows[0]
}

/**
 * Records in the scope whose patient has the same MRN, the same folded name or the same birth date, newest first; not
 * those of the same exam in other places. Only a bounded number of each is looked at: who shares a birth date or a
 * common name is not worth reading a table for.
 */
export async function listCandidates(
  db: Db,
  scope: StudyScope,
  patient: PatientRow,
  search: string,
  most: number,
): Promise<PatientRow[]> {
  const namespaces = scope.namespaces.map((one) => one.namespaceUuid)
  const visible = sql`s.phi_namespace = any(${namespaces})
        and s.deleted_at is null and s.arrival <> 'announced' and ${hasLiveSource('s')}
        and (not s.must_approve or s.phi_namespace = any(${[...scope.approving]}))
        and s.study_uid <> ${patient.study_uid}`
  const by = (condition: ReturnType<typeof sql>) => sql`
    (select ${patientColumns}, s.created from study s where ${condition} and ${visible} limit ${most})`
  const { rows } = await sql<PatientRow & { created: Date }>`
    select distinct on (found.study_date, found.created, found.uuid) found.*
    from (
      ${by(sql`folded_id(s.patientid) = folded_id(${patient.patientid}) and folded_id(${patient.patientid}) <> ''`)}
      union all
      ${by(sql`s.search = ${search} and ${search} <> ''`)}
      union all
      ${by(sql`s.patient_birth_date = ${patient.patient_birth_date} and s.patient_birth_date <> ''`)}
    ) found
    order by found.study_date desc, found.created desc, found.uuid
  `.execute(db)
  return rows
}
