import { findLoaded, loadImage } from './cornerstone.ts'
import type { ViewerImage } from './series-images.ts'
import { rangeOf, type ValueRange } from './value-range.ts'

/** Images that the series' own window is taken from, by their place. */
const SAMPLED = [0.25, 0.5, 0.75]

/** The window of a series without a stored one: of the image at `index` and some others that lie apart. */
export async function findOwnWindow(
  { imageIds, images }: { imageIds: readonly string[]; images: readonly ViewerImage[] },
  index: number,
): Promise<ValueRange | undefined> {
  const places = new Set([index, ...SAMPLED.map((share) => Math.round((imageIds.length - 1) * share))])
  const loaded = await Promise.all(
    [...places].map((at) => loadImage(imageIds[at] ?? '').then(findLoaded, () => undefined)),
  )
  const values = loaded.flatMap((image) => (image && !image.color ? [image.getPixelData()] : []))
  const instance = images[index]?.instance
  return instance && values.length > 0 ? rangeOf(values, instance) : undefined
}
