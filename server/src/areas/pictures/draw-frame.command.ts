import { join } from 'node:path'
import { StorageError } from '@hilum/contract/storage-errors'
import { RenderError } from '@hilum/dicom/render/render-error'
import type { FrameRequest } from '@hilum/dicom/render/render-job'
import type { Services } from '../../services.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import { withLocation } from '../storage/location.ts'
import { type PictureCache, createPictureCache, DRAWING_VERSION } from './picture-cache.ts'

/** Longer edge of a thumbnail in pixels. */
export const THUMBNAIL_EDGE = 256

/** The thumbnail of one frame as JPEG, from the cache or drawn now. @throws StorageError when there is no picture */
export function drawStoredThumbnail(
  services: Services,
  instance: StoredInstance,
  frame: number,
  { withOverlays = true }: Pick<FrameOptions, 'withOverlays'> = {},
): Promise<Uint8Array> {
  const { account_uuid, sha256 } = instance
  const key = { account_uuid, sha256, frame, edge: THUMBNAIL_EDGE, withOverlays }
  return cacheOf(services).get(key, async () => {
    const options = { frame, edge: THUMBNAIL_EDGE, withOverlays }
    const drawn = await withLocation(services, instance, (location) =>
      services.render.thumbnail({ ...location, ...options }),
    ).catch(explainNoPicture)
    return drawn.bytes
  })
}

export type FrameOptions = Pick<FrameRequest, 'within' | 'quality' | 'depth' | 'withOverlays'> & {
  format?: 'jpeg' | 'png' | 'tiff'
}

/** Tells pictures of one frame apart in an entity tag. */
export function keyOfOptions({ within, quality, depth, withOverlays = true, format }: FrameOptions): string {
  const size = within ? `${within.width}x${within.height}` : 'full'
  return [`v${DRAWING_VERSION}`, depth ?? 8, quality ?? '', format ?? '', size, withOverlays ? '' : 'plain'].join('-')
}

/** Takes the pictures of an image out of the cache. */
export function forgetPictures(
  services: Services,
  instance: Pick<StoredInstance, 'account_uuid' | 'sha256'>,
): Promise<void> {
  return cacheOf(services).forget(instance)
}

/** One frame as JPEG, or as 16-bit PNG for depth 16, unless a format is named. @throws StorageError when there is no picture */
export async function drawFrame(
  services: Services,
  instance: StoredInstance,
  frame: number,
  options: FrameOptions,
): Promise<{ bytes: Uint8Array; contentType: string }> {
  const format = options.format ?? (options.depth === 16 ? 'png' : 'jpeg')
  const { bytes } = await withLocation(services, instance, (location) =>
    services.render.frame({ ...location, frame, ...options, format }),
  ).catch(explainNoPicture)
  return { bytes, contentType: `image/${format}` }
}

/** Puts a failure of the renderer into words. @throws always */
export function explainNoPicture(error: unknown): never {
  if (!(error instanceof RenderError)) throw error
  const { fault, message } = error
  if (fault === 'noSuchFrame') throw new StorageError('IMAGE_NOT_FOUND', message, {}, { cause: error })
  // Cancelled is what a client has left behind: no failure for the log, and nobody hears the answer.
  const isOurs =
    fault === 'busy' || fault === 'timedOut' || fault === 'crashed' || fault === 'closed' || fault === 'unreadable'
  throw new StorageError(
    isOurs ? 'STORAGE_EXCEPTION_OCCURRED' : 'NOT_ACCEPTABLE',
    message,
    { reason: fault },
    { cause: error },
  )
}

const caches = new WeakMap<Services['store'], PictureCache>()
function cacheOf(services: Services): PictureCache {
  const known =
    caches.get(services.store) ?? createPictureCache(join(services.config.dataFolder, 'cache', 'thumbnails'))
  caches.set(services.store, known)
  return known
}
