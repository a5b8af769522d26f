import type { SeriesImages } from './series-images.ts'
import type { StripSeries } from './series-strip.ts'
import { byUsefulness, isScout } from './useful-series.ts'

/** A study that begins with a report or a scout still opens on the pictures it was made for. */
export async function findFirstWithPicture(
  list: readonly [StripSeries, ...StripSeries[]],
  seriesImages: (seriesUid: string) => Promise<SeriesImages>,
): Promise<StripSeries> {
  let scout: StripSeries | undefined
  for (const series of byUsefulness(list)) {
    const found = await seriesImages(series.seriesUid)
    if (found.kind === 'images' && !isScout(found)) return series
    if (found.kind !== 'none') scout ??= series
  }
  return scout ?? list[0]
}
