import { sql } from 'kysely'
import type { StudyScope } from '../../access/study-scope.ts'
import type { Db } from '../../db/database.ts'

export interface PatientRow {
  phi_namespace: string
  uuid: string
  patient_name: string
  patientid: string
  issuer: string
  patient_birth_date: string
  patient_sex: string
}

const columns = sql`
  s.phi_namespace, s.uuid, s.patient_name, s.patientid, s.issuer, s.patient_birth_date, s.patient_sex`

export async function findPatient(
  db: Db,
  key: { phi_namespace: string; uuid: string },
): Promise<PatientRow | undefined> {
  const { rows } = await sql<PatientRow>`
    select ${columns}
    from study s
    where s.phi_namespace = ${key.phi_namespace} and s.uuid = ${key.uuid}
  `.execute(db)
  return rows[0]
}

/**
 * Records in the scope whose patient has the same MRN, the same folded name or the same birth date, newest first. Only
 * a bounded number of each is looked at: who shares a birth date or a common name is not worth reading a table for.
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
        and s.deleted_at is null and s.arrival <> 'announced'
        and (not s.must_approve or s.phi_namespace = any(${[...scope.approving]}))
        and s.uuid <> ${patient.uuid}`
  const by = (condition: ReturnType<typeof sql>) => sql`
    (select ${columns}, s.study_date, s.created from study s where ${condition} and ${visible} limit ${most})`
  const { rows } = await sql<PatientRow>`
    select distinct on (found.study_date, found.created, found.uuid) found.*
    from (
      ${by(sql`lower(s.patientid) = lower(${patient.patientid}) and ${patient.patientid} <> ''`)}
      union all
      ${by(sql`s.search = ${search} and ${search} <> ''`)}
      union all
      ${by(sql`s.patient_birth_date = ${patient.patient_birth_date} and s.patient_birth_date <> ''`)}
    ) found
    order by found.study_date desc, found.created desc, found.uuid
  `.execute(db)
  return rows
}

/** How many objects of each SOP class a record shows, over all its sources. */
export async function countBySopClass(
  db: Db,
  record: { phi_namespace: string; uuid: string; study_uid: string; storage_namespace: string },
): Promise<{ sop_class: string; count: number }[]> {
  const { rows } = await sql<{ sop_class: string; count: number }>`
    select i.sop_class, count(*)::integer as count
    from (
      select ${record.storage_namespace}::uuid as storage_namespace
      union
      select o.storage_namespace
      from study_source o
      where o.phi_namespace = ${record.phi_namespace} and o.study_uuid = ${record.uuid}
    ) held
    join stored_study t on t.storage_namespace = held.storage_namespace and t.study_uid = ${record.study_uid}
    join instance i on i.storage_namespace = t.storage_namespace and i.study_key = t.key and i.is_primary
    group by i.sop_class
    order by i.sop_class
  `.execute(db)
  return rows
}
