import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { namesSeveral } from '../altered/outgoing-record.sql.ts'
import type { ComparedPatient } from '../storage/compared-patient.ts'

/** An exam of a place that a report may be about. */
export interface ReportedExam extends ComparedPatient {
  uuid: string
  phi_namespace: string
  account_uuid: string
  study_uid: string
  must_approve: boolean
  accession_number: string
  /** Whether the images name several patients, of whom nobody said that they are one. */
  mixed_patients: boolean
}

/** The name of an exam: its uuid, as people chose one, the Study Instance UID, or accession numbers of which any one fits. */
export type ExamName = { uuids: readonly string[] } | { study_uid: string } | { accession_numbers: readonly string[] }

/** The exams of a place that a report has any of these names for, whoever the patient is, locked against other changes. */
export async function lockReportedExams(
  tx: Tx,
  namespaceUuid: string,
  ...names: readonly ExamName[]
): Promise<ReportedExam[]> {
  const isNamed = sql.join(names.map(isOfName), sql` or `)
  const { rows } = await sql<ReportedExam>`
    select s.uuid, s.phi_namespace, s.account_uuid, s.study_uid, s.must_approve, s.accession_number, s.patient_name, s.patientid, s.issuer,
      s.patient_birth_date, s.patient_sex, coalesce(${namesSeveral}, false) as mixed_patients
    from study s
    where s.phi_namespace = ${namespaceUuid}
      and s.deleted_at is null
      and s.arrival <> 'announced'
      and (${isNamed})
    order by s.uuid
    for update of s
  `.execute(tx)
  return rows
}

function isOfName(name: ExamName): RawBuilder<unknown> {
  if ('uuids' in name) return sql`s.uuid = any(${name.uuids as string[]}::uuid[])`
  if ('study_uid' in name) return sql`s.study_uid = ${name.study_uid}`
  return sql`s.accession_number = any(${name.accession_numbers as string[]}) and s.accession_number <> ''`
}

/** Accession numbers of the orders of a place that have one of these numbers. */
export async function listExamsOfOrders(
  tx: Tx,
  namespaceUuid: string,
  orderNumbers: readonly string[],
): Promise<{ accession_number: string }[]> {
  const { rows } = await sql<{ accession_number: string }>`
    select o.accession_number
    from imaging_order o
    where o.namespace_uuid = ${namespaceUuid}
      and o.order_number = any(${orderNumbers as string[]})
      and o.order_number <> ''
      and o.accession_number <> ''
  `.execute(tx)
  return rows
}
