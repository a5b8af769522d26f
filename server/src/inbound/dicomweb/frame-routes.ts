import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { readFrames } from '../../areas/dicomweb/read-frames.command.ts'
import { drawFrame, drawThumbnail } from '../../areas/storage/draw-frame.command.ts'
import { findInstance, type StoredInstance } from '../../areas/storage/instance.sql.ts'
import type { StudyAccess } from '../../access/study-access.ts'
import type { Services } from '../../services.ts'
import { findMultipart, readAccept } from './accept.ts'
import { DicomwebError } from './answer-errors.ts'
import { newBoundary, type PartOut, writeMultipart } from './multipart.ts'
import { openStudyRequest, type StudyParams } from './open-request.ts'

const maxFramesPerRequest = 1000

/** Frames as they are or decoded, and pictures of them. Source: PS3.18 §10.4.1.1.6, §10.4.1.1.3. */
export function frameRoutes(app: FastifyInstance, services: Services): void {
  const at = '/dicomweb/:namespace/studies/:study/series/:series/instances/:instance'
  app.get(`${at}/frames/:frames`, async (request, reply) => {
    const { access, params } = await openStudyRequest(services, request)
    const instance = await findNamed(services, access, params)
    const numbers = readFrameNumbers((request.params as { frames: string }).frames, instance.frames)
    const ranges = readAccept(request.headers.accept, (request.query as Record<string, unknown>).accept)
    const range = findMultipart(ranges, 'application/octet-stream') ?? findMultipart(ranges, 'image/*')
    if (!range) throw new DicomwebError(406, 'Frames come as multipart/related; type="application/octet-stream"')
    const frames = readFrames(services, instance, numbers, range.transferSyntax)
    // the first frame is read before the answer begins, so that a failure still has a status of its own
    const first = await frames.next()
    const boundary = newBoundary()
    reply.header('content-type', `multipart/related; type="application/octet-stream"; boundary=${boundary}`)
    reply.header('cache-control', 'private, max-age=3600')
    async function* parts(): AsyncGenerator<PartOut> {
      for (let frame = first; !frame.done; frame = await frames.next()) {
        const { bytes, transferSyntax } = frame.value
        yield {
          contentType: `application/octet-stream; transfer-syntax=${transferSyntax}`,
          length: bytes.length,
          body: [bytes],
        }
      }
    }
    return reply.send(Readable.from(writeMultipart(boundary, parts())))
  })
  app.get(`${at}/thumbnail`, async (request, reply) => {
    const { access, params } = await openStudyRequest(services, request)
    const instance = await findNamed(services, access, params)
    const bytes = await drawThumbnail(services, instance, Math.floor((instance.frames - 1) / 2))
    return reply.type('image/jpeg').header('cache-control', 'private, max-age=3600').send(bytes)
  })
  for (const url of [`${at}/rendered`, `${at}/frames/:frames/rendered`]) {
    app.get(url, async (request, reply) => {
      const { access, params } = await openStudyRequest(services, request)
      const instance = await findNamed(services, access, params)
      const named = (request.params as { frames?: string }).frames
      const [number = 1] = named === undefined ? [1] : readFrameNumbers(named, instance.frames)
      const { bytes, contentType } = await drawFrame(services, instance, number - 1, {})
      return reply.type(contentType).header('cache-control', 'private, max-age=3600').send(bytes)
    })
  }
}

export async function findNamed(services: Services, access: StudyAccess, params: StudyParams): Promise<StoredInstance> {
  const { record } = access
  const found = await findInstance(services.db, record.storage_namespace, record.study_uid, params.instance ?? '')
  if (!found || found.series_uid !== params.series) throw new DicomwebError(404, 'There is no such instance here')
  return found
}

/** `1`, or a list `1,2,5`; frames count from 1. */
function readFrameNumbers(text: string, frames: number): number[] {
  const numbers = text.split(/,|%2C/i).map((one) => (/^\d{1,9}$/.test(one.trim()) ? Number(one) : 0))
  if (numbers.length > maxFramesPerRequest)
    throw new DicomwebError(400, `At most ${maxFramesPerRequest} frames at once`)
  if (numbers.some((number) => number < 1))
    throw new DicomwebError(400, 'Frames are numbers from 1, separated by commas')
  if (numbers.some((number) => number > frames))
    throw new DicomwebError(404, `The instance has ${frames} ${frames === 1 ? 'frame' : 'frames'}`)
  return numbers
}
