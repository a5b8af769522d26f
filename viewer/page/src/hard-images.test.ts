import { expect, it } from 'vitest'
import { planeAsDrawn } from './hard-images.ts'

const plane = { pixelSpacing: null, rowPixelSpacing: 1, columnPixelSpacing: 1, usingDefaultValues: true }
const tall = { '00280034': { vr: 'IS', Value: [2, 1] } }

it('measures by the spacing of an image that says nothing of its place in the patient', () => {
  const spaced = { ...plane, pixelSpacing: [0.143, 0.15], rowPixelSpacing: 0.143, columnPixelSpacing: 0.15 }
  expect(planeAsDrawn(spaced, {}, false)).toEqual({ ...spaced, usingDefaultValues: false })
  expect(planeAsDrawn({ ...spaced, pixelSpacing: [0, 0.15] }, {}, false)).toBeUndefined()
  expect(planeAsDrawn({ ...spaced, usingDefaultValues: false }, {}, false)).toBeUndefined()
})

it('leaves the plane of an image without spacing to the library', () => {
  expect(planeAsDrawn(plane, {}, false)).toBeUndefined()
})

it('draws pixels that are not square as tall as they are, unless the server has done so', () => {
  expect(planeAsDrawn(plane, tall, false)).toEqual({ ...plane, rowPixelSpacing: 2 })
  expect(planeAsDrawn(plane, tall, true)).toBeUndefined()
})

it('draws a picture that the server has stretched with square pixels, of the smaller spacing', () => {
  const spaced = { ...plane, pixelSpacing: [0.5, 1], rowPixelSpacing: 0.5, columnPixelSpacing: 1 }
  const square = { pixelSpacing: [0.5, 0.5], rowPixelSpacing: 0.5, columnPixelSpacing: 0.5 }
  expect(planeAsDrawn(spaced, {}, true)).toEqual({ ...spaced, ...square, usingDefaultValues: false })
  expect(planeAsDrawn({ ...spaced, usingDefaultValues: false }, {}, true)).toMatchObject(square)
})

it('leaves spacings alone that the server does not stretch by, nearly alike or too far apart', () => {
  for (const [row, column] of [
    [0.5, 0.502],
    [0.1, 5],
  ] as const) {
    const spaced = { ...plane, pixelSpacing: [row, column], rowPixelSpacing: row, columnPixelSpacing: column }
    expect(planeAsDrawn(spaced, {}, true)).toMatchObject({ rowPixelSpacing: row, columnPixelSpacing: column })
  }
})
