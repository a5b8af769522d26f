import { expect, test } from 'vitest'
import type { ArrivingIdentity } from '../storage/ingest.sql.ts'
import { addIdentities, namesSeveralPatients } from './patient-identity.ts'

const alice: ArrivingIdentity = {
  patient_name: 'Adams^Alice',
  patientid: 'A1',
  issuer: '',
  patient_birth_date: '19700101',
  patient_sex: 'F',
}

test.each([
  [
    'another patient',
    { ...alice, patient_name: 'Baker^Bob', patientid: 'B2', patient_birth_date: '19800202', patient_sex: 'M' },
    true,
  ],
  [
    'another MRN, name and nothing else',
    { ...alice, patient_name: 'Baker^Bob', patientid: 'B2', patient_birth_date: '', patient_sex: '' },
    true,
  ],
  ['another spelling of the name', { ...alice, patient_name: 'ADAMS^ALICE^' }, false],
  [
    'an object that names nobody',
    { patient_name: '', patientid: '', issuer: '', patient_birth_date: '', patient_sex: '' },
    false,
  ],
  ['an object without birth date and sex', { ...alice, patient_birth_date: '', patient_sex: '' }, false],
])('images of one patient and of %s', (_what, other, expected) => {
  expect(namesSeveralPatients([alice, other])).toBe(expected)
})

test('a spelling is kept once, and never more than twenty', () => {
  expect(addIdentities([alice], [alice, { ...alice }])).toEqual([alice])
  const many = Array.from({ length: 30 }, (_, index) => ({ ...alice, patientid: `A${index}` }))
  expect(addIdentities([], many)).toHaveLength(20)
})

test('somebody else is noticed however many spellings of one patient came before', () => {
  const known = Array.from({ length: 20 }, (_, index) => ({ ...alice, patientid: '', issuer: `I${index}` }))
  expect(namesSeveralPatients(known)).toBe(false)
  const other = { ...alice, patient_name: 'Else^Somebody', patient_birth_date: '19310203', patient_sex: 'M' }
  const all = addIdentities(known, [{ ...alice, patientid: '', issuer: 'I20' }, other])
  expect([all.length, namesSeveralPatients(all)]).toEqual([20, true])
  expect(namesSeveralPatients(addIdentities(all, known))).toBe(true)
})
