import { describe, expect, test } from 'vitest'
import { mayGoOn, mayJumpTo, nextStep, previousStep } from './wizard-rules.ts'

const ready = { hasDestination: true, foundStudies: 2, selectedStudies: 1, isFormValid: true }

describe('the steps', () => {
  test('[UPLOAD-09] next and back never go beyond the ends', () => {
    expect([0, 1, 2, 3].map((step) => nextStep(step, ready))).toEqual([1, 2, 3, 3])
    expect([0, 1, 2, 3].map(previousStep)).toEqual([0, 0, 1, 2])
  })

  test('[UPLOAD-09] earlier steps may be clicked, later ones may not', () => {
    expect([0, 1, 2, 3].map((target) => mayJumpTo(target, 2))).toEqual([true, true, false, false])
    expect(mayJumpTo(-1, 2)).toBe(false)
  })

  test('[UPLOAD-11] Next needs a destination, then exams, then at least one selected', () => {
    expect(mayGoOn(0, { ...ready, hasDestination: false })).toBe(false)
    expect(mayGoOn(1, { ...ready, foundStudies: 0 })).toBe(false)
    expect(mayGoOn(2, { ...ready, selectedStudies: 0 })).toBe(false)
    expect(nextStep(2, { ...ready, selectedStudies: 0 })).toBe(2)
    expect([0, 1, 2, 3].map((step) => mayGoOn(step, ready))).toEqual([true, true, true, false])
    const nothing = { hasDestination: false, foundStudies: 0, selectedStudies: 0, isFormValid: true }
    expect(mayGoOn(0, { ...nothing, hasDestination: true })).toBe(true)
    expect(mayGoOn(1, { ...nothing, foundStudies: 1 })).toBe(true)
    expect(mayGoOn(2, { ...nothing, selectedStudies: 1 })).toBe(true)
    expect(mayGoOn(3, { ...nothing, selectedStudies: 1 })).toBe(false)
  })

  test('[UPLOAD-11] [UPLOAD-24] a form with faults lets Next be pressed, and leads no further', () => {
    const faulty = { ...ready, isFormValid: false }
    expect([mayGoOn(2, faulty), nextStep(2, faulty), nextStep(1, faulty)]).toEqual([true, 2, 2])
  })
})
