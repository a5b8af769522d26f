import { type DicomObject, numberOf } from './dicom-json.ts'

export type ValueRange = { low: number; high: number }

/** Enough to find quantiles. */
const MOST_SAMPLED = 50_000
const AIR_HOUNSFIELD = -1024

/**
 * The values most pixels of some images of a series have, as the server's automatic window takes them: without
 * padding, and without the few extreme pixels (markers, dead detectors) that would flatten everything else.
 * @param values in modality units
 */
export function rangeOf(images: readonly ArrayLike<number>[], instance: DicomObject): ValueRange | undefined {
  const isPadding = paddingTest(instance)
  const sampled: number[] = []
  for (const values of images) {
    const step = Math.max(1, Math.floor((values.length * images.length) / MOST_SAMPLED))
    for (let at = 0; at < values.length; at += step) {
      const value = values[at] ?? 0
      if (Number.isFinite(value) && !isPadding(value)) sampled.push(value)
    }
  }
  const sorted = Float64Array.from(sampled).sort()
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] ?? 0
  if (sorted.length === 0 || at(0) === at(1)) return undefined
  const [low, high] = at(0.001) === at(0.999) ? [at(0), at(1)] : [at(0.001), at(0.999)]
  // outside the scanner's circle CT stores values below air
  const isCutCt = instance['00080060']?.Value?.[0] === 'CT' && low < AIR_HOUNSFIELD && high > AIR_HOUNSFIELD
  return { low: isCutCt ? AIR_HOUNSFIELD : low, high }
}

/** Source: PS3.3 C.7.5.1.1.2, C.7.6.26. */
function paddingTest(instance: DicomObject): (value: number) => boolean {
  const slope = numberOf(instance, '00281053') || 1
  const intercept = numberOf(instance, '00281052') ?? 0
  const [value, limit] = [
    ['00280120', '00280121'],
    ['00280122', '00280124'],
    ['00280123', '00280125'],
  ]
    .map((tags) => tags.map((tag) => numberOf(instance, tag)))
    .find(([first]) => first !== undefined) ?? [undefined, undefined]
  if (value === undefined) return () => false
  const ends = [value, limit ?? value].map((end) => end * slope + intercept).sort((a, b) => a - b) as [number, number]
  return (candidate) => candidate >= ends[0] && candidate <= ends[1]
}
