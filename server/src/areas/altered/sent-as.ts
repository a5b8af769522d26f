import { createHash } from 'node:crypto'
import type { ArrivingIdentity } from '../storage/ingest.sql.ts'

/** Digest of the patient and accession number that an exam leaves under, or an image names. */
export function sentAsOf(outgoing: ArrivingIdentity & { accession_number: string }): Buffer {
  const { patient_name, patientid, issuer, patient_birth_date, patient_sex, accession_number } = outgoing
  const agreed = [patient_name, patientid, issuer, patient_birth_date, patient_sex, accession_number]
  return createHash('sha256').update(JSON.stringify(agreed)).digest()
}
