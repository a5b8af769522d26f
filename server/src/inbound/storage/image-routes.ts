import { imageFrame, imageThumbnail } from '@hilum/contract/routes/storage-images'
import { StorageError } from '@hilum/contract/storage-errors'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { StudyAccess } from '../../access/study-access.ts'
import {
  drawFrame,
  drawStoredThumbnail,
  type FrameOptions,
  keyOfOptions,
  THUMBNAIL_EDGE,
} from '../../areas/pictures/draw-frame.command.ts'
import { inTurnOf } from '../../areas/pictures/in-turn-of.ts'
import type { StoredInstance } from '../../areas/storage/instance.sql.ts'
import { findImage } from '../../areas/storage/record-images.sql.ts'
import type { Services } from '../../services.ts'
import { type Opened, route } from '../route.ts'
import { pixelCaching, sendParts } from './send-parts.ts'

export function imageRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, imageThumbnail, async (opened) => {
    const instance = await findOpenedImage(services, opened)
    const frame = frameOf(opened, instance)
    const options = {
      within: { width: THUMBNAIL_EDGE, height: THUMBNAIL_EDGE },
      ...overlayOptions(opened.query.overlays),
    }
    const etag = `${instance.version}-${frame}-thumbnail-${keyOfOptions(options)}`
    return sendPicture(opened, etag, async () => ({
      bytes: await drawStoredThumbnail(inTurnOf(services, opened.caller), instance, frame, options),
      contentType: 'image/jpeg',
    }))
  })

  route(app, services, imageFrame, async (opened) => {
    const instance = await findOpenedImage(services, opened)
    const frame = frameOf(opened, instance)
    const { depth, quality, size, overlays } = opened.query
    const options = {
      depth,
      quality,
      ...sizeOptions(size),
      ...overlayOptions(overlays),
    }
    const etag = `${instance.version}-${frame}-${keyOfOptions(options)}`
    return sendPicture(opened, etag, () => drawFrame(inTurnOf(services, opened.caller), instance, frame, options))
  })
}

/** A request for one image, let in. */
type OpenedImage = Pick<Opened, 'request' | 'reply'> & {
  access: StudyAccess
  params: { readonly imageUid: string; readonly version: string }
}

/** @throws StorageError IMAGE_NOT_FOUND */
export async function findOpenedImage(
  { db }: Services,
  { access, params: { imageUid, version } }: Pick<OpenedImage, 'access' | 'params'>,
): Promise<StoredInstance> {
  if (version !== '*' && !/^[0-9a-f-]{36}$/i.test(version)) throw imageNotFound(imageUid)
  const instance = await findImage(db, access.record, imageUid, version === '*' ? undefined : version)
  if (!instance) throw imageNotFound(imageUid)
  return instance
}

export async function sendPicture(
  { request, reply }: Pick<Opened, 'request' | 'reply'>,
  etag: string,
  draw: () => Promise<{ bytes: Uint8Array; contentType: string }>,
): Promise<FastifyReply> {
  // The tag names the bytes by their hash, so a picture that the caller has need not be drawn again.
  if (request.headers['if-none-match'] === `"${etag}"`) {
    return reply
      .code(304)
      .headers({ ...pixelCaching, etag: `"${etag}"` })
      .send()
  }
  const { bytes, contentType } = await draw()
  return sendParts(request, reply, { parts: [{ kind: 'bytes', bytes }], contentType, etag, isPixels: true })
}

export function frameOf({ params }: { params: { readonly frame: string } }, instance: StoredInstance): number {
  const frame = Number(params.frame)
  if (!Number.isInteger(frame) || frame < 0 || frame >= instance.frames) {
    throw new StorageError('IMAGE_NOT_FOUND', 'The image has no such frame')
  }
  return frame
}

/** Bounds that a picture is to fit into; empty without any. */
export function sizeOptions(size: FrameOptions['within']): Pick<FrameOptions, 'within'> {
  return size ? { within: size } : {}
}

/** Overlays are drawn unless they are called off. */
export function overlayOptions(areDrawn: boolean): Pick<FrameOptions, 'withOverlays'> {
  return areDrawn ? {} : { withOverlays: false }
}

function imageNotFound(imageUid: string): StorageError {
  return new StorageError('IMAGE_NOT_FOUND', undefined, { image_uid: imageUid })
}
