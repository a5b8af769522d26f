import { expect, it } from 'vitest'
import { phiFields, presentPhi, presentRecordAttributes } from './phi.presenter.ts'

const record = { study_uid: '1.2.3', phi_namespace: 'place' }
const found = (values: Record<string, string>) => ({
  values,
  issuer: '',
  edits: [],
  phi_version: 3,
  mixed_patients: false,
  accession_number: '',
  patientid: '',
  one_accession: false,
  one_mrn: false,
  created: '',
})

it('shows patient and exam of a record by field name', () => {
  expect(presentPhi(record, found({ patient_name: 'Doe^Jane', patient_sex: 'F' }))).toEqual({
    study_uid: '1.2.3',
    phi_namespace: 'place',
    phi_version: 3,
    patient_name: 'Doe^Jane',
    patient_sex: 'F',
  })
})

it('shows them as attributes in the order of their tags, with their length in bytes', () => {
  const values = {
    patient_name: 'Müller',
    study_date: '20260301',
    patientid: '',
    accession_number: 'A1',
    modality: 'MR',
  }
  expect(presentRecordAttributes(found(values)).tags).toEqual([
    { group: 0x0008, element: 0x0020, vr: 'DA', vl: 8, name: 'StudyDate', value: '20260301' },
    { group: 0x0008, element: 0x0050, vr: 'SH', vl: 2, name: 'AccessionNumber', value: 'A1' },
    { group: 0x0010, element: 0x0010, vr: 'PN', vl: 7, name: 'PatientName', value: 'Müller' },
    { group: 0x0010, element: 0x0020, vr: 'LO', vl: 0, name: 'PatientID', value: '' },
  ])
})

it('knows by which tag an image says each field, where it says it at all', () => {
  const tagOf = new Map<string, number>(phiFields)
  expect(tagOf.get('patient_name')).toBe(0x0010_0010)
  expect(tagOf.get('study_date')).toBe(0x0008_0020)
  expect(tagOf.has('modality')).toBe(false)
})
