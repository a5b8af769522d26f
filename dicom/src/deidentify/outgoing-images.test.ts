import { expect, it } from 'vitest'
import { readDataSet } from '../read.ts'
import { Tag } from '../tags.ts'
import { writePart10 } from '../write-part10.ts'
import { mayHoldText } from './outgoing-images.ts'

const ct = '1.2.840.10008.5.1.4.1.1.2'

function looksFor(values: { modality: string; annotated?: string; types?: string; samples?: number }): boolean {
  const { modality, annotated, types = 'ORIGINAL\\PRIMARY', samples = 1 } = values
  const bytes = writePart10([
    { tag: Tag.SOPClassUID, vr: 'UI', value: ct },
    { tag: Tag.SOPInstanceUID, vr: 'UI', value: '1.2.3' },
    { tag: Tag.ImageType, vr: 'CS', value: types },
    { tag: Tag.Modality, vr: 'CS', value: modality },
    { tag: Tag.SamplesPerPixel, vr: 'US', value: samples },
    ...(annotated === undefined ? [] : [{ tag: Tag.BurnedInAnnotation, vr: 'CS', value: annotated }]),
  ])
  return mayHoldText(readDataSet(bytes).dataSet, ct)
}

it.each(['CT', 'MR', 'PT', 'NM'])(
  'takes slices of %s to hold no text, unless they say or show otherwise',
  (modality) => {
    expect(looksFor({ modality })).toBe(false)
    expect(looksFor({ modality, annotated: 'YES' })).toBe(true)
    expect(looksFor({ modality, annotated: 'UNKNOWN' })).toBe(true)
    expect(looksFor({ modality, types: 'DERIVED\\SECONDARY\\SCREEN SAVE' })).toBe(true)
    expect(looksFor({ modality, types: 'DERIVED\\PRIMARY\\PERFUSION', samples: 3 })).toBe(true)
  },
)

it.each(['CR', 'DX', 'IO', 'MG', 'PX', 'RF', 'XA'])(
  'has somebody look at a picture of %s that does not say that it holds no text',
  (modality) => {
    expect(looksFor({ modality })).toBe(true)
    expect(looksFor({ modality, annotated: 'YES' })).toBe(true)
    expect(looksFor({ modality, annotated: 'NO' })).toBe(false)
  },
)

it.each(['US', 'XC', 'ES', 'OT', 'SC', ''])('has somebody look at every picture of "%s"', (modality) => {
  expect(looksFor({ modality })).toBe(true)
  expect(looksFor({ modality, annotated: 'NO' })).toBe(true)
})
