import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { ComparedPatient } from './compared-patient.ts'

/** The patient of record `s`, to be kept with a sending until it leaves (`ComparedPatient`). */
export const patientToSend = sql`jsonb_build_object(
  'patient_name', s.patient_name, 'patientid', s.patientid, 'issuer', s.issuer,
  'patient_birth_date', s.patient_birth_date, 'patient_sex', s.patient_sex)`

/** The patients of the exams of a link, when somebody last wanted it mailed (`asked`) and now. */
export async function listPatientsOfLink(
  db: Db,
  uuid: string,
): Promise<{ asked: ComparedPatient; now: ComparedPatient }[]> {
  const { rows } = await sql<{ for_patient: ComparedPatient; now: ComparedPatient }>`
    select ls.for_patient, ${patientToSend} as now
    from link_study ls
    join study s on s.phi_namespace = ls.phi_namespace and s.uuid = ls.study_uuid
    where ls.link_uuid = ${uuid} and ls.for_patient is not null
    order by s.uuid
  `.execute(db)
  return rows.map((row) => ({ asked: row.for_patient, now: row.now }))
}
