import type { Identity } from '@hilum/dicom/identity'

/** The patient as a record gives it, by the names of the wire. */
export interface ComparedPatient {
  patient_name: string
  patientid: string
  issuer: string
  patient_birth_date: string
  patient_sex: string
}

/** A record's patient as the identity comparison takes one. */
export function asIdentity(patient: ComparedPatient): Identity {
  return {
    patientName: patient.patient_name,
    patientId: patient.patientid,
    patientIdIssuer: patient.issuer,
    patientBirthDate: patient.patient_birth_date,
    patientSex: patient.patient_sex,
  }
}
