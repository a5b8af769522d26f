import { StorageError } from '@hilum/contract/storage-errors'
import { drawReasonTile } from '@hilum/dicom/render/reason-tile'
import type { RenderFault } from '@hilum/dicom/render/render-error'
import {
  renderInstance,
  renderSeries,
  renderStudy,
  thumbnailOfInstance,
  thumbnailOfSeries,
  thumbnailOfStudy,
} from '@hilum/contract/routes/dicomweb'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { cannotBeSentSo } from '../../areas/dicomweb/outgoing-file.command.ts'
import { drawStoredThumbnail, THUMBNAIL_EDGE } from '../../areas/pictures/draw-frame.command.ts'
import { inTurnOf } from '../../areas/pictures/in-turn-of.ts'
import type { StoredInstance } from '../../areas/storage/instance.sql.ts'
import { withLocation } from '../../areas/storage/location.ts'
import { DRAWING_VERSION } from '../../areas/pictures/picture-cache.ts'
import type { Services } from '../../services.ts'
import { pixelCaching, sendParts } from '../storage/send-parts.ts'
import { accepts, type MediaRange, rangesOf } from './accept.ts'
import { DicomwebError } from './answer-errors.ts'
import { type PartOut, sendMultipart } from './multipart.ts'
import { findInstance, findInstances } from './find-instances.ts'
import { readRenderOptions, type RenderQuery, type RenderOptions } from './read-render-options.ts'
import { type Opened, route } from '../route.ts'

const formats = ['jpeg', 'png', 'webp'] as const
type Format = (typeof formats)[number]

/** Pictures in one answer. */
const maxPictures = 1000

/** Pictures: studies, series and instances drawn, and thumbnails at every level. Source: PS3.18 §10.4.1.1.3, §10.4.1.1.5. */
export function renderedRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, renderInstance, async (opened) => {
    const instance = await findInstance(services, opened)
    return sendRendered(inTurnOf(services, opened.caller), opened, instance, [middleOf(instance) + 1])
  })
  route(app, services, thumbnailOfInstance, async (opened) =>
    sendThumbnail(inTurnOf(services, opened.caller), opened, await findInstance(services, opened)),
  )
  for (const declared of [renderStudy, renderSeries]) {
    route(app, services, declared, async (opened) =>
      sendManyRendered(inTurnOf(services, opened.caller), opened, await findInstances(services, opened)),
    )
  }
  for (const declared of [thumbnailOfStudy, thumbnailOfSeries]) {
    route(app, services, declared, async (opened) =>
      sendThumbnail(inTurnOf(services, opened.caller), opened, representative(await findInstances(services, opened))),
    )
  }
}

/** A request for pictures, let in. */
type OpenedPicture = Pick<Opened, 'request' | 'reply'> & { readonly query: RenderQuery }

/** Frames drawn for a screen: one as a picture, several as parts. */
export async function sendRendered(
  services: Services,
  opened: OpenedPicture,
  instance: StoredInstance,
  numbers: readonly number[],
): Promise<FastifyReply> {
  const { request, reply } = opened
  const { options, format } = readPictureRequest(opened)
  const [only] = numbers
  if (numbers.length > 1 || only === undefined) {
    async function* parts(): AsyncGenerator<PartOut> {
      for (const number of numbers) {
        const bytes = await draw(services, instance, number, format, options)
        yield { contentType: `image/${format}`, length: bytes.length, body: [bytes] }
      }
    }
    return sendMultipart(request, reply, `image/${format}`, parts())
  }
  const etag = `${instance.version}-${only}-${format}-${options.key}`
  if (request.headers['if-none-match'] === `"${etag}"`) {
    return reply
      .code(304)
      .headers({ ...pixelCaching, etag: `"${etag}"` })
      .send()
  }
  const bytes = await draw(services, instance, only, format, options)
  return sendParts(request, reply, {
    parts: [{ kind: 'bytes', bytes }],
    contentType: `image/${format}`,
    etag,
    isPixels: true,
  })
}

/** Every frame of these instances, drawn; what has no picture is passed over. */
async function sendManyRendered(
  services: Services,
  opened: OpenedPicture,
  instances: readonly StoredInstance[],
): Promise<FastifyReply> {
  const { request, reply } = opened
  const { options, format } = readPictureRequest(opened)
  const images = instances.filter((one) => one.rows !== null)
  if (images.reduce((sum, one) => sum + one.frames, 0) > maxPictures)
    throw new DicomwebError(400, `At most ${maxPictures} pictures at once; ask for single instances`)
  async function* parts(): AsyncGenerator<PartOut> {
    for (const instance of images) {
      for (let number = 1; number <= instance.frames; number += 1) {
        const bytes = await draw(services, instance, number, format, options).catch((error: unknown) => {
          if (!cannotBeSentSo(error)) throw error
          return undefined
        })
        // a form that one frame cannot have, the others of the same image cannot have either
        if (!bytes) break
        yield { contentType: `image/${format}`, length: bytes.length, body: [bytes] }
      }
    }
  }
  const drawn = parts()
  const first = await drawn.next()
  if (first.done) throw new DicomwebError(406, 'Nothing here can be drawn')
  return sendMultipart(request, reply, `image/${format}`, startingWith(first.value, drawn))
}

/** How the pictures of a request are to be drawn; what has no effect is named in a Warning. @throws DicomwebError 400, 406 */
function readPictureRequest({ request, reply, query }: OpenedPicture): { options: RenderOptions; format: Format } {
  const options = readRenderOptions(query)
  if (options.ignored.length > 0) {
    reply.header('warning', `299 hilum "These have no effect here: ${options.ignored.join(', ')}"`)
  }
  return { options, format: chooseFormat(rangesOf(request)) }
}

async function* startingWith<T>(first: T, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  yield first
  yield* rest
}

async function draw(
  services: Services,
  instance: StoredInstance,
  number: number,
  format: Format,
  options: RenderOptions,
): Promise<Uint8Array> {
  const drawing = {
    frame: number - 1,
    format,
    ...(options.quality === undefined ? {} : { quality: options.quality }),
    ...(options.voi ? { voi: options.voi } : {}),
    ...(options.viewport ? { within: options.viewport } : {}),
    withOverlays: options.withOverlays,
  }
  const { bytes } = await withLocation(services, instance, (location) =>
    services.render.frame({ ...location, ...drawing }),
  )
  return bytes
}

/** A small JPEG of one frame, by default the middle one; a tile with the reason where there is no picture. */
export async function sendThumbnail(
  services: Services,
  { request, reply, query }: Pick<Opened, 'request' | 'reply'> & { readonly query: Pick<RenderQuery, 'overlays'> },
  instance: StoredInstance,
  number = middleOf(instance) + 1,
): Promise<FastifyReply> {
  if (!accepts(rangesOf(request), 'image/jpeg')) throw new DicomwebError(406, 'Thumbnails come as image/jpeg')
  const { overlays: withOverlays } = query
  const etag = `${instance.version}-${number}-${THUMBNAIL_EDGE}-v${DRAWING_VERSION}${withOverlays ? '' : '-plain'}`
  const send = (bytes: Uint8Array, tag: string) =>
    sendParts(request, reply, {
      parts: [{ kind: 'bytes', bytes }],
      contentType: 'image/jpeg',
      etag: tag,
      isPixels: true,
    })
  try {
    return await send(await drawStoredThumbnail(services, instance, number - 1, { withOverlays }), etag)
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'NOT_ACCEPTABLE') throw error
    const fault = error.data.reason as RenderFault | undefined
    const tile = { reason: error.message, edge: THUMBNAIL_EDGE, format: 'jpeg' as const, ...(fault ? { fault } : {}) }
    return send((await drawReasonTile(tile)).bytes, `${etag}-tile`)
  }
}

function chooseFormat(ranges: readonly MediaRange[]): Format {
  for (const range of ranges) {
    const wanted = range.media === 'multipart/related' ? { ...range, media: range.type || '*/*' } : range
    const format = formats.find((one) => accepts([wanted], `image/${one}`))
    if (format) return format
  }
  throw new DicomwebError(406, 'Pictures come as image/jpeg, image/png or image/webp')
}

function middleOf({ frames }: StoredInstance): number {
  return Math.floor((frames - 1) / 2)
}

/** The middle image of the first series that has any: reports and plans have no rows, and stand for themselves only. */
function representative(instances: readonly [StoredInstance, ...StoredInstance[]]): StoredInstance {
  const withPixels = instances.filter((one) => one.rows !== null)
  const images = withPixels.length > 0 ? withPixels : instances
  const ofFirstSeries = images.filter((one) => one.series_uid === images[0]?.series_uid)
  return ofFirstSeries[Math.floor(ofFirstSeries.length / 2)] ?? instances[0]
}
