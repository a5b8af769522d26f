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
