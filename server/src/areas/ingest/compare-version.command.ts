import type { Comparison } from '@hilum/dicom/compare/compare-objects'
import { RenderError } from '@hilum/dicom/render/render-error'
import { StoreError } from '../../outbound/storage/store-error.ts'
import type { Services } from '../../services.ts'
import type { ImageDifference } from './arrived-image.ts'
import { type ImagePlace, withLocation } from '../storage/location.ts'

/** Attributes and frames that a version says it differs in; the panel compares again for all of them. */
const MAX_NOTED = 20

/**
 * Compares two files value by value and by their pixels, in a thread with a limit of time.
 * @param owner for whom: owners take turns
 * @returns undefined when that cannot be told: one is damaged, too large, or lost from the store
 * @throws StoreError slow
 */
export async function compareVersions(
  services: Pick<Services, 'render' | 'store'>,
  first: ImagePlace,
  second: ImagePlace,
  owner: string,
): Promise<Comparison | undefined> {
  try {
    const { bytes } = await withLocation(services, first, (one) =>
      withLocation(services, second, (other) => services.render.compare({ first: one, second: other }, { owner })),
    )
    return JSON.parse(new TextDecoder().decode(bytes)) as Comparison // the thread wrote a value of this very type
  } catch (error) {
    // a store that does not answer now may do so when the sender comes again
    if (error instanceof RenderError || (error instanceof StoreError && error.fault !== 'slow')) return undefined
    throw error
  }
}

export function noteDifference(comparison: Comparison | undefined): ImageDifference | undefined {
  if (!comparison) return undefined
  return {
    attributes: comparison.differences.slice(0, MAX_NOTED).map(({ path }) => path),
    attribute_count: comparison.differenceCount,
    pixels: !comparison.pixels.isSame,
    frames: comparison.pixels.frames.slice(0, MAX_NOTED),
  }
}
