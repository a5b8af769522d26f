import { expect, it } from 'vitest'
import { outgoingVerdict } from './second-person.policy.ts'

const values = { patient_name: 'DOE^JANE', patientid: 'H-7', patient_birth_date: '19700131', patient_sex: 'F' }
const edits = [{ tag: 'patientid' as const, old: 'A-1', new: 'H-7', who: '', when: '' }]
const exam: Parameters<typeof outgoingVerdict>[0] = { values, issuer: '', own_issuer: '', own_names: [], edits }
const order = { patient_name: '', patientid: 'H-7' }

it('an MRN of an order without a name is somebody else’s until two people agree', () => {
  expect(outgoingVerdict(exam)).toBe('likely')
  expect(outgoingVerdict(exam, { ...order, patient_name: 'DOE^JANE' })).toBe('likely')
  expect(outgoingVerdict(exam, order)).toBe('different')
})

it('an order without a name says nothing of an MRN that came with the exam, or is another', () => {
  expect(outgoingVerdict({ ...exam, edits: [] }, order)).not.toBe('different')
  expect(outgoingVerdict(exam, { ...order, patientid: '' })).toBe('likely')
})
