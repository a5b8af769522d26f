import type { OwnNames } from '@hilum/dicom/authority'
import { foldId } from '@hilum/dicom/fold-id'
import type { Identity } from '@hilum/dicom/identity'

/** The patient as a record gives it, by the names of the wire. */
export interface ComparedPatient {
  patient_name: string
  patientid: string
  issuer: string
  patient_birth_date: string
  patient_sex: string
}

/**
 * A record's patient as the identity comparison takes one.
 * @param ownNames of the organisation's own assigning authority, which are one
 */
export function asIdentity(patient: ComparedPatient, ownNames: OwnNames = []): Identity {
  const [own = ''] = ownNames
  return {
    patientName: patient.patient_name,
    patientId: patient.patientid,
    patientIdIssuer: ownNames.includes(foldId(patient.issuer)) ? own : patient.issuer,
    patientBirthDate: patient.patient_birth_date,
    patientSex: patient.patient_sex,
  }
}
