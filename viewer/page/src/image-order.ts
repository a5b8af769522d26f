import { type DicomObject, numberOf, numbersOf, jsonTextOf } from './dicom-json.ts'

/**
 * The one order of images in both viewers: slices of one orientation by their position along its normal, all else by
 * instance number; then by UID, so that the order is the same each time.
 */
export function imagesInOrder(instances: readonly DicomObject[]): DicomObject[] {
  const normal = commonNormal(instances)
  const place = (instance: DicomObject) => (normal ? dot(normal, numbersOf(instance, '00200032')) : 0)
  return [...instances].sort(
    (a, b) =>
      place(a) - place(b) ||
      (numberOf(a, '00200013') ?? 0) - (numberOf(b, '00200013') ?? 0) ||
      jsonTextOf(a, '00080018').localeCompare(jsonTextOf(b, '00080018'), 'en', { numeric: true }),
  )
}

/** Scanners write the cosines of one orientation with small differences. */
const SAME_DIRECTION = 0.99

/** The normal that all slices share; undefined where one has no place, or they stand at angles. */
function commonNormal(instances: readonly DicomObject[]): number[] | undefined {
  let normal: number[] | undefined
  for (const instance of instances) {
    const own = normalOf(instance)
    if (own === undefined || numbersOf(instance, '00200032').length !== 3) return undefined
    if (normal && dot(normal, own) < SAME_DIRECTION) return undefined
    normal ??= own
  }
  return normal
}

function normalOf(instance: DicomObject): number[] | undefined {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, ...rest] = numbersOf(instance, '00200037')
  if (rest.length > 0) return undefined
  const normal = [b * f - c * e, c * d - a * f, a * e - b * d]
  const length = Math.hypot(...normal)
  return length > 0.5 ? normal.map((part) => part / length) : undefined
}

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, part, at) => sum + part * (b[at] ?? 0), 0)
