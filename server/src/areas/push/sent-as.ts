import { createHash } from 'node:crypto'
import type { OutgoingRecord } from '../altered/outgoing-record.sql.ts'

/** Digest of the patient and accession number that an exam leaves under. */
export function sentAsOf(outgoing: OutgoingRecord): Buffer {
  const { patient_name, patientid, issuer, patient_birth_date, patient_sex, accession_number } = outgoing
  const agreed = [patient_name, patientid, issuer, patient_birth_date, patient_sex, accession_number]
  return createHash('sha256').update(JSON.stringify(agreed)).digest()
}
