import { cache } from '@cornerstonejs/core'
import { loadImage } from './cornerstone.ts'

const LANES = 3
const SHARE_OF_CACHE = 0.8

/** Loads the other images of a stack, as long as the cache has room. */
export async function prefetch(imageIds: readonly string[], shown: number, signal: AbortSignal): Promise<void> {
  const queue = imageIds.map((_, at) => at).filter((at) => at !== shown)
  const limit = cache.getMaxCacheSize() * SHARE_OF_CACHE
  const lane = async () => {
    for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
      if (signal.aborted || cache.getCacheSize() > limit) return
      // A faulty image tells its reason when somebody comes to it.
      await loadImage(imageIds[at] ?? '').catch(() => undefined)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}
