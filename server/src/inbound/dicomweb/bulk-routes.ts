import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findBulkData } from '../../areas/dicomweb/find-bulk-data.ts'
import { findPixelBytes } from '../../areas/dicomweb/find-pixel-bytes.ts'
import { lengthOfPart, type Part, streamParts } from '../../areas/storage/parts.ts'
import type { Services } from '../../services.ts'
import { sendParts } from '../storage/send-parts.ts'
import { covers, rangesOf } from './accept.ts'
import { DicomwebError } from './answer-errors.ts'
import { isMultipart } from './choose-form.ts'
import { sendFrames } from './frame-routes.ts'
import { type PartOut, sendMultipart } from './multipart.ts'
import { openInstanceRequest, readMethods } from './open-request.ts'

const octets = 'application/octet-stream'
const pixelTags = new Set(['7FE00008', '7FE00009', '7FE00010'])

/** Long values, at the addresses that metadata names. Source: PS3.18 §10.4.1.1.4. */
export function bulkRoutes(app: FastifyInstance, services: Services): void {
  app.route({
    method: readMethods,
    url: '/dicomweb/:namespace/studies/:study/series/:series/instances/:instance/bulkdata/*',
    handler: async (request, reply) => {
      const { instance } = await openInstanceRequest(services, request)
      const path = (request.params as { '*': string })['*']
      if (!pixelTags.has(path.toUpperCase())) {
        const part = await findBulkData(services.store, instance, path)
        if (!part) throw new DicomwebError(404, 'The instance has no such value')
        return sendValue(request, reply, part, octets, `${instance.version}-${path.replaceAll('/', '.')}`)
      }
      const pixels = await findPixelBytes(services, instance)
      // compressed pixels are as many parts as there are frames
      if (!pixels) return sendFrames(services, request, reply, instance, 'all')
      return sendValue(request, reply, pixels.part, pixels.mediaType, `${instance.version}-pixels`)
    },
  })
}

/** One value, bare or as the only part, by what the client's ranges say. @throws DicomwebError 406 */
function sendValue(
  request: FastifyRequest,
  reply: FastifyReply,
  part: Part,
  contentType: string,
  etag: string,
): Promise<FastifyReply> | FastifyReply {
  const mediaType = contentType.split(';')[0] ?? contentType
  const range = rangesOf(request).find((one) =>
    isMultipart(one) ? one.type === '' || covers(one.type, mediaType) : covers(one.media, mediaType),
  )
  if (!range) throw new DicomwebError(406, `This value comes as ${mediaType}`)
  if (!isMultipart(range)) return sendParts(request, reply, { parts: [part], contentType, etag })
  const length = lengthOfPart(part)
  async function* only(): AsyncGenerator<PartOut> {
    yield { contentType, length, body: streamParts([part], 0, length, { freesChunks: true }) }
  }
  return sendMultipart(request, reply, mediaType, only())
}
