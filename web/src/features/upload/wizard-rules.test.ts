import { describe, expect, test } from 'vitest'
import {
  commonMrn,
  listMissingMrns,
  mayGoOn,
  mayJumpTo,
  mrnOf,
  nextStep,
  previousStep,
  whyNotOnePatient,
} from './wizard-rules.ts'

const ready = { hasDestination: true, foundStudies: 2, selectedStudies: 1 }
const patient = { key: 'a', name: 'DOE^JANE', mrn: 'M1', issuer: '', birthDate: '19800521', sex: 'F' }

describe('the steps', () => {
  test('[UPLOAD-09] next and back never go beyond the ends', () => {
    expect([0, 1, 2, 3].map((step) => nextStep(step, ready))).toEqual([1, 2, 3, 3])
    expect([0, 1, 2, 3].map(previousStep)).toEqual([0, 0, 1, 2])
  })

  test('[UPLOAD-09] earlier steps may be clicked, later ones may not', () => {
    expect([0, 1, 2, 3].map((target) => mayJumpTo(target, 2))).toEqual([true, true, false, false])
  })

  test('[UPLOAD-11] Next needs a destination, then exams, then at least one selected', () => {
    expect(mayGoOn(0, { ...ready, hasDestination: false })).toBe(false)
    expect(mayGoOn(1, { ...ready, foundStudies: 0 })).toBe(false)
    expect(mayGoOn(2, { ...ready, selectedStudies: 0 })).toBe(false)
    expect(nextStep(2, { ...ready, selectedStudies: 0 })).toBe(2)
    expect([0, 1, 2].map((step) => mayGoOn(step, ready))).toEqual([true, true, true])
  })
})

describe('MRNs', () => {
  test('[UPLOAD-08] are prefilled from the images, and what the person typed rules', () => {
    expect(mrnOf(patient, {})).toBe('M1')
    expect(mrnOf(patient, { a: ' M9 ' })).toBe('M9')
    expect(mrnOf(patient, { a: '' })).toBe('')
  })

  test('[UPLOAD-08] are required as soon as there are several patients, and not before', () => {
    const without = { ...patient, key: 'b', mrn: '' }
    expect(listMissingMrns([without], {})).toEqual([])
    expect(listMissingMrns([patient, without], {})).toEqual(['b'])
    expect(listMissingMrns([patient, without], { b: '  ' })).toEqual(['b'])
    expect(listMissingMrns([patient, without], { b: 'M2' })).toEqual([])
  })

  test('"These are one patient" is refused where birth date or sex differ, not where one is absent', () => {
    expect(whyNotOnePatient([patient, { ...patient, birthDate: '19800522' }])).toBe('birth-date')
    expect(whyNotOnePatient([patient, { ...patient, sex: 'M' }])).toBe('sex')
    expect(whyNotOnePatient([patient, { ...patient, name: 'DOE^J', birthDate: '', sex: '' }])).toBeUndefined()
  })

  test('one patient takes the first MRN that there is', () => {
    expect(
      commonMrn(
        [
          { ...patient, mrn: '' },
          { ...patient, key: 'b', mrn: 'M2' },
        ],
        {},
      ),
    ).toBe('M2')
  })
})
