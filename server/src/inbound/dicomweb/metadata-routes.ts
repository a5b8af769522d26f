import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { findMetadataVersion } from '../../areas/dicomweb/metadata.sql.ts'
import { describeInstance, prepareMetadata } from '../../areas/dicomweb/study-metadata.command.ts'
import { inTurnOf } from '../../areas/storage/in-turn-of.ts'
import type { Services } from '../../services.ts'
import { sendGzip } from '../storage/send-gzip.ts'
import { sendParts } from '../storage/send-parts.ts'
import { accepts, rangesOf } from './accept.ts'
import { DicomwebError } from './answer-errors.ts'
import { openInstanceRequest, openStudyRequest, readMethods } from './open-request.ts'

/** WADO-RS metadata of a study, a series, an instance. Source: PS3.18 §10.4.1.1.2. */
export function metadataRoutes(app: FastifyInstance, services: Services): void {
  const at = '/dicomweb/:namespace/studies/:study'
  for (const url of [`${at}/metadata`, `${at}/series/:series/metadata`]) {
    app.route({
      method: readMethods,
      url,
      handler: async (request, reply) => {
        const { access, caller, params } = await openStudyRequest(services, request)
        const contentType = chooseJson(request)
        const prepared = await prepareMetadata(inTurnOf(services, caller), access, params.series)
        if (!prepared)
          throw new DicomwebError(404, params.series ? 'There is no such series here' : 'The study has no images')
        return sendPrepared(request, reply, contentType, prepared)
      },
    })
  }
  app.route({
    method: readMethods,
    url: `${at}/series/:series/instances/:instance/metadata`,
    handler: async (request, reply) => {
      const { access, caller, instance } = await openInstanceRequest(services, request)
      const contentType = chooseJson(request)
      const version = await findMetadataVersion(services.db, access.record)
      if (!version) throw new DicomwebError(404, 'There is no such instance here')
      const text = await describeInstance(inTurnOf(services, caller), access, version, instance)
      const etag = `${instance.version}-${version.phi_version}`
      return sendParts(request, reply, {
        parts: [Buffer.from('['), text, Buffer.from(']')].map((bytes) => ({ kind: 'bytes' as const, bytes })),
        contentType,
        etag,
      })
    },
  })
}

/** @throws DicomwebError 406: the XML model is not offered */
function chooseJson(request: FastifyRequest): string {
  const ranges = rangesOf(request)
  const found = ['application/dicom+json', 'application/json'].find((media) => accepts(ranges, media))
  if (!found) throw new DicomwebError(406, 'Metadata comes as application/dicom+json')
  return found
}

/** The metadata as they were made ahead, or 304. */
function sendPrepared(
  request: FastifyRequest,
  reply: FastifyReply,
  contentType: string,
  { path, etag }: { path: string; etag: string },
) {
  reply.headers({ etag, 'cache-control': 'private, no-cache', vary: 'accept, accept-encoding' })
  const known = String(request.headers['if-none-match'] ?? '').split(',')
  if (known.some((one) => one.trim().replace(/^W\//, '') === etag)) return reply.code(304).send()
  reply.header('content-type', contentType)
  return sendGzip(request, reply, path)
}
