import {
  retrieveInstanceMetadata,
  retrieveSeriesMetadata,
  retrieveStudyMetadata,
} from '@hilum/contract/routes/dicomweb'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { StudyAccess } from '../../access/study-access.ts'
import { findMetadataVersion } from '../../areas/dicomweb/metadata.sql.ts'
import { tellMetadata } from '../../areas/dicomweb/instance-metadata.ts'
import { describeInstance, prepareMetadata, stateOf } from '../../areas/dicomweb/study-metadata.command.ts'
import { inTurnOf } from '../../areas/pictures/in-turn-of.ts'
import { correctionFor } from '../../areas/altered/correction-to-apply.ts'
import { correctionOf } from '../../areas/altered/record-edits.ts'
import type { Services } from '../../services.ts'
import { sendGzip } from '../storage/send-gzip.ts'
import { sendParts } from '../storage/send-parts.ts'
import { accepts, rangesOf } from './accept.ts'
import { DicomwebError } from './answer-errors.ts'
import { originOf } from './origin.ts'
import { findInstance } from './find-instances.ts'
import { route, type Opened } from '../route.ts'

/** WADO-RS metadata of a study, a series, an instance. Source: PS3.18 §10.4.1.1.2. */
export function metadataRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, retrieveStudyMetadata, (opened) => sendMetadata(services, opened, undefined))
  route(app, services, retrieveSeriesMetadata, (opened) => sendMetadata(services, opened, opened.params.series))
  route(app, services, retrieveInstanceMetadata, async (opened) => {
    const { request, reply, access, caller } = opened
    const instance = await findInstance(services, opened)
    const contentType = chooseJson(request)
    const version = await findMetadataVersion(services.db, access.record)
    if (!version) throw new DicomwebError(404, 'There is no such instance here')
    const correction = correctionFor(access.record, correctionOf(version))
    const own = inTurnOf(services, caller)
    // in a list, one that cannot be corrected is named and says nothing; alone, it has an answer of its own
    const text = correction
      ? await tellMetadata(own, instance, access.record, correction, originOf(request))
      : await describeInstance(own, access.record, version, instance, originOf(request))
    const etag = `${instance.version}-${stateOf(version, access.record)}`
    return sendParts(request, reply, {
      parts: [Buffer.from('['), text, Buffer.from(']')].map((bytes) => ({ kind: 'bytes' as const, bytes })),
      contentType,
      etag,
    })
  })
}

async function sendMetadata(
  services: Services,
  { request, reply, access, caller }: Pick<Opened, 'request' | 'reply' | 'caller'> & { access: StudyAccess },
  series: string | undefined,
) {
  const contentType = chooseJson(request)
  const prepared = await prepareMetadata(inTurnOf(services, caller), access.record, series, originOf(request))
  if (!prepared) throw new DicomwebError(404, series ? 'There is no such series here' : 'The study has no images')
  return sendPrepared(request, reply, contentType, prepared)
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
  reply.headers({ etag, vary: 'accept, accept-encoding' })
  const known = String(request.headers['if-none-match'] ?? '').split(',')
  if (known.some((one) => one.trim().replace(/^W\//, '') === etag)) return reply.code(304).send()
  reply.header('content-type', contentType)
  return sendGzip(request, reply, path)
}
