import type { Types } from '@cornerstonejs/core'
import { describe, expect, it } from 'vitest'
import { makerOf } from '../hard-images.ts'
import { hasPlanes, mayHoldLayers, pixelAttributesOf } from './natural-instance.ts'
import { hasStoredWindow, sampledPlaces, windowOf } from './series-window.ts'

const image = (values: readonly number[], more: object = {}) =>
  ({ getPixelData: () => Float32Array.from(values), color: false, slope: 1, intercept: 0, ...more }) as Types.IImage

describe('windows of series in the full viewer', () => {
  it('is one for all images of a series, from values of several, without padding', () => {
    const instance = pixelAttributesOf({ PixelPaddingValue: -32_000, Modality: 'MR' })
    expect(windowOf([image([-32_000, 100, 150]), image([300, 700])], instance)).toEqual({
      center: 400.5,
      width: 601,
      voiLUTFunction: 'LINEAR',
    })
  })

  it('is counted in modality units, whoever applied slope and intercept', () => {
    const instance = pixelAttributesOf({ RescaleSlope: 2, RescaleIntercept: -10 })
    const expected = { center: 100.5, width: 201, voiLUTFunction: 'LINEAR' }
    expect(windowOf([image([5, 105], { slope: 2, intercept: -10 })], instance)).toEqual(expected)
    expect(windowOf([image([0, 200], { slope: 2, intercept: -10, preScale: { scaled: true } })], instance)).toEqual(
      expected,
    )
  })

  it('is exactly as wide as the values of a floating point map', () => {
    const found = windowOf([image([0, 0.001, 0.002])], pixelAttributesOf({ FloatPixelData: [{}] }))
    expect(found?.voiLUTFunction).toBe('LINEAR_EXACT')
    expect(found?.center).toBeCloseTo(0.001)
    expect(found?.width).toBeCloseTo(0.002)
  })

  it('gives way to a stored window, and to images in colour', () => {
    expect(hasStoredWindow(pixelAttributesOf({ WindowCenter: [40, 50], WindowWidth: [400, 300] }))).toBe(true)
    expect(hasStoredWindow(pixelAttributesOf({ WindowCenter: 40, WindowWidth: 0 }))).toBe(false)
    expect(windowOf([image([1, 2], { color: true })], {})).toBeUndefined()
  })

  it('samples images that lie apart, each once', () => {
    expect(sampledPlaces(101)).toEqual([25, 50, 75])
    expect(sampledPlaces(1)).toEqual([0])
    expect(sampledPlaces(0)).toEqual([])
  })
})

describe('who makes the pixels of an image in the full viewer', () => {
  const grey = {
    BitsAllocated: 16,
    BitsStored: 12,
    HighBit: 11,
    Rows: 4,
    Columns: 4,
    PhotometricInterpretation: 'MONOCHROME2',
  }

  it('is asked of the whole instance where OHIF names overlay planes, of which it keeps the last', () => {
    expect(hasPlanes({ ...grey, OverlayRows: 4, OverlayColumns: 4, OverlayBitPosition: 15 })).toBe(true)
    expect(hasPlanes({ ...grey, OverlayBitPosition: 0 })).toBe(true)
    expect(hasPlanes(grey)).toBe(false)
    expect(mayHoldLayers({ ...grey, VOILUTSequence: [{}] })).toBe(true)
    expect(mayHoldLayers({ ...grey, OverlayData: {} })).toBe(true)
    expect(mayHoldLayers(grey)).toBe(false)
  })

  it('is the script itself where values are floating point', () => {
    expect(makerOf(pixelAttributesOf({ Rows: 4, FloatPixelData: [{}] }))).toBe('values')
    expect(makerOf(pixelAttributesOf(grey))).toBe('decoder')
  })

  it('is the server where colours stand in a palette', () => {
    expect(makerOf(pixelAttributesOf({ ...grey, PhotometricInterpretation: 'PALETTE COLOR' }))).toBe('server')
  })
})
