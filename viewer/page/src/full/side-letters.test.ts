import { afterEach, expect, it, vi } from 'vitest'
import { lettersAt } from './side-letters.ts'

afterEach(() => vi.unstubAllGlobals())

const LAID = { left: 'R', right: 'L', top: 'A', bottom: 'P' }

/** @param isLaid where OHIF has laid the image, since it does not say where it lies */
function show(isLaid: boolean, instance: object): void {
  const plane = { isDefaultValueSetForRowCosine: isLaid, isDefaultValueSetForColumnCosine: isLaid }
  const get = (type: string) => (type === 'instance' ? instance : plane)
  vi.stubGlobal('window', { cornerstone: { metaData: { get } } })
}

it('keeps the letters of an image that says where it lies, and of slices made anew', () => {
  show(false, { PatientOrientation: ['A', 'F'] })
  expect(lettersAt('one', LAID)).toBe(LAID)
  expect(lettersAt(undefined, LAID)).toBe(LAID)
})

it('takes the letters of other images from their patient orientation, as they are turned', () => {
  show(true, { PatientOrientation: ['A', 'FR'] })
  expect(lettersAt('one', LAID)).toEqual({ left: 'P', right: 'A', top: 'HL', bottom: 'FR' })
  // a quarter turn clockwise: the left side of the picture is on top
  expect(lettersAt('one', { left: 'P', right: 'A', top: 'R', bottom: 'L' })).toEqual({
    left: 'FR',
    right: 'HL',
    top: 'P',
    bottom: 'A',
  })
  show(true, { PatientOrientation: String.raw`L\F` })
  expect(lettersAt('one', LAID)).toEqual({ left: 'R', right: 'L', top: 'H', bottom: 'F' })
})

it('writes no letters where an image says nothing', () => {
  show(true, {})
  expect(lettersAt('one', LAID)).toBeUndefined()
})
