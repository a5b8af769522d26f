import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { mayBeOneAuthority } from '../storage/authority.sql.ts'
import type { PatientKey } from './patient.sql.ts'

/** A report `w` of a patient, as exams take it: an issuer that one of both lacks fits any, and merges are followed. */
const isReportOf = (key: PatientKey) => sql`(w.account_uuid = ${key.account_uuid} and (
  (
    folded_id(w.patientid) = folded_id(${key.patientid}) and folded_id(w.patientid) <> ''
    and ${mayBeOneAuthority(sql`w.issuer`, sql`${key.issuer}::text`, sql`w.account_uuid`)}
  )
  or exists (
    select
    from merged_patient m
    where m.namespace_uuid = w.namespace_uuid and m.prior_id = folded_id(w.patientid)
      and m.prior_issuer = folded_id(w.issuer) and folded_id(m.patientid) = folded_id(${key.patientid})
      and ${mayBeOneAuthority(sql`m.issuer`, sql`${key.issuer}::text`, sql`w.account_uuid`)}
  )))`

/**
 * Removes a patient's reports that wait for their exam, and the notes of those that were given to one by hand; before the
 * merges of numbers.
 * @returns how many waited
 */
export async function eraseReports(tx: Tx, key: PatientKey): Promise<number> {
  await sql`
    delete from given_report w
    where ${isReportOf(key)}
  `.execute(tx)
  const { numAffectedRows } = await sql`
    delete from waiting_report w
    where ${isReportOf(key)}
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

interface PatientReport {
  uuid: string
  known: Record<string, unknown>
}

/** A patient's reports that wait for their exam, as they are written into an export. */
export async function listPatientReports(db: Db, key: PatientKey): Promise<PatientReport[]> {
  const { rows } = await sql<PatientReport>`
    select w.uuid, to_jsonb(w) - 'account_uuid' - 'digest' as known
    from waiting_report w
    where ${isReportOf(key)}
    order by w.received, w.uuid
  `.execute(db)
  return rows
}
