import { expect, test } from 'vitest'
import { isCut } from './earlier-exams.command.ts'

const patient = {
  phi_namespace: '',
  uuid: '',
  study_uid: '2.25.1',
  study_date: '20260301',
  patient_name: 'Prior^Anna',
  patientid: 'A-1',
  issuer: 'NORTH',
  patient_birth_date: '19700101',
  patient_sex: 'F',
}
const rows = (count: number, more: Partial<typeof patient>) =>
  Array.from({ length: count }, () => ({ ...patient, ...more }))
const stranger = { patient_name: 'Other^Carl', patientid: 'B-2', patient_birth_date: '19500505' }

test('some of many alike were not looked at where one list of them was full, not where several are long together', () => {
  const others = [
    ...rows(400, { ...stranger, patient_birth_date: patient.patient_birth_date }),
    ...rows(400, { ...stranger, patientid: 'a-1' }),
    ...rows(400, { ...stranger, patient_name: 'PRIOR^ANNA' }),
  ]
  expect(isCut(patient, others)).toBe(false)
  expect(isCut(patient, [...others, ...rows(600, { ...stranger, patientid: 'a-1 ' })])).toBe(true)
  // without an MRN those without one are not looked for
  expect(isCut({ ...patient, patientid: '' }, rows(1000, { ...stranger, patientid: '' }))).toBe(false)
})
