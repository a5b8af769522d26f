import { expect, it } from 'vitest'
import type { DicomObject } from './dicom-json.ts'
import { imageAt, linkedPlace, linkedPlaceOf } from './linked-scroll.ts'

const slice = (z: number, frameOfReference: string, cosines = [1, 0, 0, 0, 1, 0]) => {
  const values: Record<string, unknown[]> = {
    '00200032': [0, 0, z],
    '00200037': cosines,
    '00280030': [1, 1],
    '00200052': [frameOfReference],
  }
  const instance: DicomObject = Object.fromEntries(
    Object.entries(values).map(([tag, Value]) => [tag, { vr: 'DS', Value }]),
  )
  return { instance, sopUid: `${z}`, frame: 1, framesPerSecond: 10 }
}
const place = (...slices: Parameters<typeof slice>) => {
  const found = linkedPlaceOf(slice(...slices))
  if (!found) throw new Error('a slice has a place')
  return found
}

it('links exams of two origins by millimetres from where they were linked', () => {
  const anchor = { one: place(10, 'a'), other: place(-200, 'b') }
  expect(linkedPlace(anchor, place(25, 'a'))?.mm).toBe(-185)
})

it('links series of one origin by their places', () => {
  const anchor = { one: place(10, 'a'), other: place(40, 'a') }
  expect(linkedPlace(anchor, place(25, 'a'))?.mm).toBe(25)
})

it('follows slices that are counted the other way round, and none of other planes', () => {
  const turned = [1, 0, 0, 0, -1, 0]
  const other = place(-200, 'b', turned)
  expect(linkedPlace({ one: place(10, 'a'), other }, place(25, 'a'))?.mm).toBe(other.mm - 15)
  const side = place(0, 'b', [0, 1, 0, 0, 0, 1])
  expect(linkedPlace({ one: place(10, 'a'), other: side }, place(25, 'a'))).toBeUndefined()
})

it('shows the image nearest to a place in its plane', () => {
  const images = [0, 5, 10, 15].map((z) => slice(z, 'b'))
  expect(imageAt(images, place(11, 'b'))).toBe(2)
  expect(imageAt(images, place(99, 'b'))).toBe(3)
  expect(imageAt(images, place(0, 'b', [0, 1, 0, 0, 0, 1]))).toBeUndefined()
  expect(imageAt([{ ...slice(0, 'b'), instance: {} }], place(0, 'b'))).toBeUndefined()
})
