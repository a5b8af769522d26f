import { expect, it } from 'vitest'
import { nameOfListed, numberBelow, thumbnailOf } from './listed-series.ts'

it('names a series by its description, its number or its modality, as the quick viewer does', () => {
  const series = { Modality: 'CT', instances: [{ SeriesNumber: 100 }] }
  expect(nameOfListed({ ...series, SeriesDescription: 'Thorax' })).toBe('Thorax')
  expect(nameOfListed({ ...series, SeriesDescription: ' ' })).toBe('Series 100')
  expect(nameOfListed({ Modality: 'SR', instance: { SeriesNumber: 0 } })).toBe('Series 0')
  expect(nameOfListed({ Modality: 'CT', instances: [{}] })).toBe('CT')
  expect(nameOfListed({})).toBe('')
})

it('says the number of a series once, and none where there is none', () => {
  expect(numberBelow('Thorax', 3)).toBe('S:3')
  expect(numberBelow('Series 3', 3)).toBe('')
  expect(numberBelow('CT', 0)).toBe('')
  expect(numberBelow('CT', undefined)).toBe('')
})

it('marks thumbnails of PET in grey values, which are shown dark on light', () => {
  const of = (Modality: string, PhotometricInterpretation: string) =>
    thumbnailOf({ instances: [{ Modality, PhotometricInterpretation }] }, 'blob:one')
  expect(of('PT', 'MONOCHROME2')).toBe('blob:one#dark-on-light')
  expect(of('PT', 'RGB')).toBe('blob:one')
  expect(of('CT', 'MONOCHROME2')).toBe('blob:one')
  expect(thumbnailOf({ instances: [{ Modality: 'PT', PhotometricInterpretation: 'MONOCHROME2' }] }, undefined)).toBe(
    undefined,
  )
})
