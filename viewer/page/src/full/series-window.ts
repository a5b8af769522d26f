import type { Types } from '@cornerstonejs/core'
import { numberOf, type DicomObject } from '../dicom-json.ts'
import { isFloat } from '../hard-images.ts'
import { rangeOf } from '../value-range.ts'

export type SeriesWindow = { center: number; width: number; voiLUTFunction: 'LINEAR' | 'LINEAR_EXACT' }

/** Images that a series' window is taken from, by their place, beside the one that is shown first. */
const SAMPLED = [0.25, 0.5, 0.75]

export function hasStoredWindow(instance: DicomObject): boolean {
  const width = numberOf(instance, '00281051') ?? 0
  return numberOf(instance, '00281050') !== undefined && (isFloat(instance) ? width > 0 : width >= 1)
}

/** Places of the images that a window is taken from, in a series of so many. */
export function sampledPlaces(count: number): number[] {
  return [...new Set(SAMPLED.map((share) => Math.round((count - 1) * share)))].filter((at) => at >= 0 && at < count)
}

/** One window for all images of a series that stores none, by the values of some of them. */
export function windowOf(images: readonly Types.IImage[], instance: DicomObject): SeriesWindow | undefined {
  const values = images.flatMap((image) => (image.color ? [] : [valuesOf(image)]))
  const range = values.length > 0 ? rangeOf(values, instance) : undefined
  if (!range) return undefined
  const width = range.high - range.low
  // a window in whole numbers takes its last value in (PS3.3 C.11.2.1.2.1)
  return isFloat(instance)
    ? { center: (range.low + range.high) / 2, width, voiLUTFunction: 'LINEAR_EXACT' }
    : { center: (range.low + range.high + 1) / 2, width: Math.max(1, width + 1), voiLUTFunction: 'LINEAR' }
}

/** In modality units, which the library has made of some images' values already and not of others'. */
function valuesOf(image: Types.IImage): ArrayLike<number> {
  const values = image.getPixelData()
  const { slope = 1, intercept = 0 } = image
  const isScaled = image.preScale?.scaled === true || (slope === 1 && intercept === 0)
  return isScaled ? values : Float32Array.from(values, (value) => value * slope + intercept)
}
