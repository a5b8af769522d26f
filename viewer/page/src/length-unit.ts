import { type DicomObject, numbersOf } from './dicom-json.ts'
import { pixelAspectOf } from './hard-images.ts'

export type LengthUnit = 'mm' | 'cm' | 'px'

/** By the library's own words; a region of ultrasound or of a curve counts in its own units. */
const UNITS: Readonly<Record<string, LengthUnit>> = { mm: 'mm', 'cm US Region': 'cm', px: 'px' }

/**
 * The unit of a length that the library has measured, such as `cm US Region`. Undefined where a report has no unit
 * for it: seconds, percent, and pixels that are not square or of which the image knows the size.
 */
export function lengthUnitOf(words: unknown, instance: DicomObject): LengthUnit | undefined {
  const unit = typeof words === 'string' ? UNITS[words] : undefined
  const isOfPlainPixels = numbersOf(instance, '00280030').length !== 2 && pixelAspectOf(instance) === undefined
  return unit === 'px' && !isOfPlainPixels ? undefined : unit
}
