import { expect, it } from 'vitest'
import type { DicomObject } from './dicom-json.ts'
import { lengthUnitOf } from './length-unit.ts'

const spaced: DicomObject = { '00280030': { vr: 'DS', Value: [0.143, 0.143] } }
const tall: DicomObject = { '00280034': { vr: 'IS', Value: [2, 1] } }

it('takes millimetres, centimetres of ultrasound and pixels as what they are', () => {
  expect(lengthUnitOf('mm', spaced)).toBe('mm')
  expect(lengthUnitOf('cm US Region', {})).toBe('cm')
  expect(lengthUnitOf('px', {})).toBe('px')
})

it('knows no unit for seconds, percent and other measures of a region', () => {
  for (const words of ['seconds US Region', 'mV ECG Region', 'percent US Region', 'px US Region', 'unknown', undefined])
    expect(lengthUnitOf(words, {})).toBeUndefined()
})

it('counts no pixels that have a size or are not square', () => {
  expect(lengthUnitOf('px', spaced)).toBeUndefined()
  expect(lengthUnitOf('px', tall)).toBeUndefined()
})
