import { StorageError } from '@hilum/contract/storage-errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { recordAccess } from '../../areas/audit/record-access.command.ts'
import { drawFrame, drawThumbnail, THUMBNAIL_EDGE } from '../../areas/storage/draw-frame.command.ts'
import type { TagChoiceQuery } from '../../areas/storage/tag-choice.ts'
import { inTurnOf } from '../../areas/storage/in-turn-of.ts'
import { findInstance, type StoredInstance } from '../../areas/storage/instance.sql.ts'
import type { Services } from '../../services.ts'
import { sendParts } from './send-parts.ts'
import { openStudyOfRequest, type StudyRoute } from './study-routes.ts'

export type ImageRoute = {
  Params: StudyRoute['Params'] & { imageUid: string; version: string; frame: string }
  Querystring: StudyRoute['Querystring'] & {
    depth?: string
    quality?: string
    size?: string
    transfer_syntax?: string
    as_received?: string
    all_dicom_values?: string
    reencode_video?: string
  } & TagChoiceQuery
}

/** HEAD is a route of its own: the framework's would read the whole body to answer it. */
export const readMethods = ['GET', 'HEAD']

export const IMAGE = '/study/:namespace/:studyUid/image/:imageUid/version/:version'

export function imageRoutes(app: FastifyInstance, services: Services): void {
  app.route<ImageRoute>({
    method: readMethods,
    url: `${IMAGE}/frame/:frame/thumbnail`,
    handler: async (request, reply) => {
      const { instance, caller } = await openImage(services, request)
      const frame = frameOf(request, instance)
      const etag = `${instance.version}-${frame}-${THUMBNAIL_EDGE}`
      return sendPicture(request, reply, etag, async () => ({
        bytes: await drawThumbnail(inTurnOf(services, caller), instance, frame),
        contentType: 'image/jpeg',
      }))
    },
  })

  app.route<ImageRoute>({
    method: readMethods,
    url: `${IMAGE}/frame/:frame`,
    handler: async (request, reply) => {
      const { instance, caller } = await openImage(services, request)
      const frame = frameOf(request, instance)
      const { depth, quality, size } = request.query
      const wish = {
        depth: depth === '16' ? (16 as const) : (8 as const),
        quality: qualityOf(quality),
        ...edgeWish(size, instance),
      }
      const etag = `${instance.version}-${frame}-${wish.depth}-${wish.quality}-${wish.maxEdge ?? 'full'}`
      return sendPicture(request, reply, etag, () => drawFrame(inTurnOf(services, caller), instance, frame, wish))
    },
  })
}

export async function openImage(services: Services, request: FastifyRequest<ImageRoute>) {
  const { caller, access } = await openStudyOfRequest(services, request)
  const { namespace, studyUid, imageUid, version } = request.params
  if (version !== '*' && !/^[0-9a-f-]{36}$/i.test(version)) throw imageNotFound(imageUid)
  const instance = await findInstance(services.db, namespace, studyUid, imageUid, version === '*' ? undefined : version)
  if (!instance) throw imageNotFound(imageUid)
  await recordAccess(services.db, caller, access, 'STUDY_VIEW')
  return { instance, caller, access }
}

export async function sendPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  etag: string,
  draw: () => Promise<{ bytes: Uint8Array; contentType: string }>,
): Promise<FastifyReply> {
  // The tag names the bytes by their hash, so a picture that the caller has need not be drawn again.
  if (request.headers['if-none-match'] === `"${etag}"`) return reply.code(304).header('etag', `"${etag}"`).send()
  const { bytes, contentType } = await draw()
  return sendParts(request, reply, { parts: [{ kind: 'bytes', bytes }], contentType, etag })
}

export function frameOf(request: FastifyRequest<ImageRoute>, instance: StoredInstance): number {
  const frame = Number(request.params.frame)
  if (!Number.isInteger(frame) || frame < 0 || frame >= instance.frames) {
    throw new StorageError('IMAGE_NOT_FOUND', 'The image has no such frame')
  }
  return frame
}

/** 0 to 1 on the wire, 1 to 100 inside. */
function qualityOf(text: string | undefined): number {
  const quality = text === undefined ? 0.9 : Number(text)
  if (!(quality >= 0 && quality <= 1)) throw new StorageError('BAD_REQUEST', 'The quality must lie between 0 and 1')
  return Math.max(1, Math.round(quality * 100))
}

/**
 * The longer edge of a picture whose edges, or width and height (WxH), are limited. 0 and nothing limit nothing.
 * @throws StorageError BAD_REQUEST
 */
export function edgeWish(
  size: string | undefined,
  { rows, columns }: Pick<StoredInstance, 'rows' | 'columns'>,
): { maxEdge?: number } {
  if (!size || size === '0') return {}
  const match = /^(\d{1,5})(?:x(\d{1,5}))?$/.exec(size)
  const width = Number(match?.[1] ?? 0)
  const height = Number(match?.[2] ?? width)
  if (width < 1 || height < 1) throw new StorageError('BAD_REQUEST', 'The size must be an edge or WxH')
  if (!rows || !columns) return { maxEdge: Math.min(width, height) }
  const factor = Math.min(width / columns, height / rows)
  // a little more, so that an edge that fits exactly is not cut by how it was computed
  return { maxEdge: Math.max(1, Math.floor(Math.max(rows, columns) * factor + 1e-6)) }
}

function imageNotFound(imageUid: string): StorageError {
  return new StorageError('IMAGE_NOT_FOUND', undefined, { image_uid: imageUid })
}
