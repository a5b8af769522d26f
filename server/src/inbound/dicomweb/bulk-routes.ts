import { retrieveBulkData } from '@hilum/contract/routes/dicomweb'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findBulkData, findCorrectedBulkData } from '../../areas/dicomweb/find-bulk-data.ts'
import { findPixelBytes } from '../../areas/dicomweb/find-pixel-bytes.ts'
import { findMetadataVersion } from '../../areas/dicomweb/metadata.sql.ts'
import { stateOf } from '../../areas/dicomweb/study-metadata.command.ts'
import { inTurnOf } from '../../areas/pictures/in-turn-of.ts'
import { correctionFor } from '../../areas/altered/correction-to-apply.ts'
import { correctionOf } from '../../areas/altered/record-edits.ts'
import { lengthOfPart, type Part, streamParts } from '../../areas/storage/parts.ts'
import type { Services } from '../../services.ts'
import { sendParts } from '../storage/send-parts.ts'
import { covers, type MediaRange, rangesOf } from './accept.ts'
import { DicomwebError } from './answer-errors.ts'
import { isMultipart } from './choose-form.ts'
import { sendFrames } from './frame-routes.ts'
import { type PartOut, sendMultipart } from './multipart.ts'
import { findInstance } from './find-instances.ts'
import { route } from '../route.ts'

const octets = 'application/octet-stream'
const pixelTags = new Set(['7FE00008', '7FE00009', '7FE00010'])

/** Long values, at the addresses that metadata names. Source: PS3.18 §10.4.1.1.4. */
export function bulkRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, retrieveBulkData, async (opened) => {
    const { request, reply, caller, access, params } = opened
    const instance = await findInstance(services, opened)
    const path = params['*']
    if (!pixelTags.has(path.toUpperCase())) {
      const version = await findMetadataVersion(services.db, access.record)
      const correction = version && correctionFor(access.record, correctionOf(version))
      const part = correction
        ? await findCorrectedBulkData(services.store, instance, correction, path)
        : await findBulkData(services.store, instance, path)
      if (!part) throw new DicomwebError(404, 'The instance has no such value')
      const state = correction ? `-${stateOf(version, access.record)}` : ''
      return sendValue(request, reply, part, [octets], `${instance.version}-${path.replaceAll('/', '.')}${state}`)
    }
    const own = inTurnOf(services, caller)
    const pixels = await findPixelBytes(own, instance)
    // compressed pixels are as many parts as there are frames
    if (!pixels) return sendFrames(own, request, reply, instance, 'all')
    return sendValue(request, reply, pixels.part, pixels.mediaTypes, `${instance.version}-pixels`)
  })
}

/** One value, bare or as the only part, in the first of its types that the client's ranges take. @throws DicomwebError 406 */
function sendValue(
  request: FastifyRequest,
  reply: FastifyReply,
  part: Part,
  contentTypes: readonly string[],
  etag: string,
): Promise<FastifyReply> | FastifyReply {
  const typeOf = (contentType: string) => contentType.split(';')[0] ?? contentType
  const takes = (range: MediaRange, contentType: string) =>
    isMultipart(range)
      ? range.type === '' || covers(range.type, typeOf(contentType))
      : covers(range.media, typeOf(contentType))
  const [met] = rangesOf(request).flatMap((range) =>
    contentTypes.filter((contentType) => takes(range, contentType)).map((contentType) => ({ range, contentType })),
  )
  if (!met) throw new DicomwebError(406, `This value comes as ${contentTypes.map(typeOf).join(' or ')}`)
  const { range, contentType } = met
  if (!isMultipart(range)) return sendParts(request, reply, { parts: [part], contentType, etag })
  const length = lengthOfPart(part)
  async function* only(): AsyncGenerator<PartOut> {
    yield { contentType, length, body: streamParts([part], 0, length, { freesChunks: true }) }
  }
  return sendMultipart(request, reply, typeOf(contentType), only())
}
