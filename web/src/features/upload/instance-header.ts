import type { InstanceIndex } from '@hilum/dicom/instance-index'

const fields = [
  'studyUid',
  'seriesUid',
  'sopInstanceUid',
  'patientName',
  'patientId',
  'patientIdIssuer',
  'patientBirthDate',
  'patientSex',
  'studyDate',
  'studyTime',
  'studyDescription',
  'accessionNumber',
  'referringPhysician',
  'modality',
  'seriesNumber',
  'seriesDescription',
] as const

/** Attributes of one DICOM instance that the wizard needs; they cross from the worker to the page. */
export type InstanceHeader = Pick<InstanceIndex, (typeof fields)[number]>

export function toInstanceHeader(index: InstanceIndex): InstanceHeader {
  return Object.fromEntries(fields.map((field) => [field, index[field]])) as unknown as InstanceHeader // the same fields
}
