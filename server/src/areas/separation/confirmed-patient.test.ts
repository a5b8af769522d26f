import { expect, test } from 'vitest'
import { editsOf } from './confirmed-patient.ts'

const nobody = { patient_name: '', patientid: '', issuer: '', patient_birth_date: '', patient_sex: '' }
const came = { ...nobody, patient_name: 'Moves^Bert' } as Parameters<typeof editsOf>[0] // all that is compared
const moved = [nobody, { ...nobody, patientid: 'B1', issuer: 'CLINIC' }, { ...nobody, patientid: 'B2' }]
const issuerFor = (patientid: string) =>
  editsOf({ ...came, patientid: 'B0', issuer: 'FIRST' }, { patientid }, { issuer: 'OWN', moved, who: '' }).find(
    ({ tag }) => tag === 'issuer',
  )?.new

test('an MRN that images of the patient give keeps their issuer, and one that a person writes is of the account', () => {
  expect(issuerFor('B1')).toBe('CLINIC')
  expect(issuerFor('B2')).toBe('')
  expect(issuerFor('B9')).toBe('OWN')
  expect(issuerFor('')).toBe('')
  expect(issuerFor('B0')).toBeUndefined()
})

test('values that the first image has already are no edits', () => {
  const edits = editsOf(came, { patient_name: 'Moves^Bert', patientid: '' }, { issuer: 'OWN', moved, who: '' })
  expect(edits).toEqual([])
})
