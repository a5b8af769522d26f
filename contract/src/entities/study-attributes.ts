import type { StudyDicomField } from './study.ts'

/** A DICOM attribute: its tag as eight hex digits, its VR, and whether it may have several values. */
export type StudyAttribute = { tag: string; vr: string; isMultiple?: boolean }

/** The DICOM attribute behind each field of a study record. Source: PS3.6. */
export const studyAttributes: Readonly<Partial<Record<StudyDicomField, StudyAttribute>>> = {
  patient_name: { tag: '00100010', vr: 'PN' },
  patientid: { tag: '00100020', vr: 'LO' },
  patient_birth_date: { tag: '00100030', vr: 'DA' },
  patient_birth_time: { tag: '00100032', vr: 'TM' },
  patient_sex: { tag: '00100040', vr: 'CS' },
  patientid_other: { tag: '00101000', vr: 'LO', isMultiple: true },
  patient_name_other: { tag: '00101001', vr: 'PN', isMultiple: true },
  patient_birthname: { tag: '00101005', vr: 'PN' },
  patient_age: { tag: '00101010', vr: 'AS' },
  patient_size: { tag: '00101020', vr: 'DS' },
  patient_weight: { tag: '00101030', vr: 'DS' },
  patient_address: { tag: '00101040', vr: 'LO' },
  patient_mother_birthname: { tag: '00101060', vr: 'PN' },
  medical_record_locator: { tag: '00101090', vr: 'LO' },
  patient_phone: { tag: '00102154', vr: 'SH', isMultiple: true },
  patient_ethnic_group: { tag: '00102160', vr: 'SH' },
  patient_occupation: { tag: '00102180', vr: 'SH' },
  patient_additional_history: { tag: '001021B0', vr: 'LT' },
  patient_religious_preference: { tag: '001021F0', vr: 'LO' },
  patient_comments: { tag: '00104000', vr: 'LT' },
  patient_current_location: { tag: '00380300', vr: 'LO' },
  patient_institution_residence: { tag: '00380400', vr: 'LO' },
  study_date: { tag: '00080020', vr: 'DA' },
  study_time: { tag: '00080030', vr: 'TM' },
  accession_number: { tag: '00080050', vr: 'SH' },
  referring_physician: { tag: '00080090', vr: 'PN' },
  study_description: { tag: '00081030', vr: 'LO' },
}

/** The attribute whose rules a field's values follow. Modality is one of each series, and in no record's corrections. */
export function attributeOfField(field: StudyDicomField): StudyAttribute {
  return studyAttributes[field] ?? { tag: '00080060', vr: 'CS' }
}
