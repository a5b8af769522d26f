import { expect, it } from 'vitest'
import { groupByPatient } from './group-by-patient.ts'

const ann = {
  patient_name: 'Moser^Anna',
  patientid: 'A1',
  issuer: '',
  patient_birth_date: '19500101',
  patient_sex: 'F',
}
const ben = {
  patient_name: 'Okafor^Ben',
  patientid: 'B1',
  issuer: '',
  patient_birth_date: '19810707',
  patient_sex: 'M',
}
const cid = { patient_name: 'Ruiz^Cid', patientid: 'C1', issuer: '', patient_birth_date: '19660303', patient_sex: 'M' }
const spelt = { ...ann, patient_name: 'MOSER^ANNA' }
const nobody = { patient_name: '', patientid: '', issuer: '', patient_birth_date: '', patient_sex: '' }
const images = (...identities: (typeof ann)[]) => identities.map((identity) => ({ identity }))

/** Every order of a list. */
function orders<One>(all: readonly One[]): One[][] {
  return all.length < 2
    ? [[...all]]
    : all.flatMap((one, index) => orders(all.toSpliced(index, 1)).map((rest) => [one, ...rest]))
}

it('puts spellings of one patient together, and patients who contradict each other apart', () => {
  const { groups, left } = groupByPatient(images(ben, ann, ann, spelt))
  expect(left).toEqual([])
  expect(groups.map((one) => [one.identity.patientid, one.spellings, one.images.length, one.isUnclear])).toEqual([
    ['A1', 2, 3, false],
    ['B1', 1, 1, false],
  ])
})

it('puts images that name nobody to no patient, whatever order they come in', () => {
  for (const order of orders([ann, spelt, ben, cid, nobody])) {
    const { groups } = groupByPatient(images(...order))
    const told = groups.map((one) => [one.identity.patientid, one.images.length, one.isUnclear])
    expect(told.toSorted()).toEqual([
      ['', 1, true],
      ['A1', 2, false],
      ['B1', 1, false],
      ['C1', 1, false],
    ])
    expect(groups.at(-1)?.isUnclear).toBe(true)
  }
})

it('puts images that name nobody to the patient of all others', () => {
  expect(groupByPatient(images(ann, nobody)).groups.map((one) => [one.images.length, one.isUnclear])).toEqual([
    [2, false],
  ])
})

it('keeps images of an image that fits two patients by itself', () => {
  const aMan = { ...nobody, patient_sex: 'M' }
  const { groups } = groupByPatient(images(ann, ben, cid, aMan))
  expect(groups.map((one) => [one.identity.patientid, one.isUnclear])).toEqual([
    ['A1', false],
    ['B1', false],
    ['C1', false],
    ['', true],
  ])
})

it('compares a bounded number of spellings, and says how many images are left', () => {
  const many = Array.from({ length: 130 }, (_, index) => ({ ...nobody, patientid: `N${index}` }))
  const { groups, left } = groupByPatient(images(...many))
  expect(groups.reduce((sum, one) => sum + one.images.length, 0) + left.length).toBe(130)
  expect(left).toHaveLength(30)
})
