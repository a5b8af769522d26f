import { createHash } from 'node:crypto'
import { foldId } from '@hilum/dicom/fold-id'
import { foldText } from '@hilum/dicom/person-name'
import type { ComparedPatient } from '../storage/compared-patient.ts'

/** Digest of who a patient is beside the MRN, however written: records of other people keep it, without the patient's data. */
export function personDigest(patient: ComparedPatient): string {
  const { patient_name, patient_birth_date, patient_sex } = patient
  const person = [foldText(patient_name), foldId(patient_birth_date), foldId(patient_sex)]
  return createHash('sha256').update(JSON.stringify(person)).digest('base64url')
}
