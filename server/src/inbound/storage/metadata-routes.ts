import { imageMetadata, seriesMetadata, studyMetadata } from '@hilum/contract/routes/storage-studies'
import { StorageError, type StorageErrorCode } from '@hilum/contract/storage-errors'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { StudyAccess } from '../../access/study-access.ts'
import { tellMetadata } from '../../areas/dicomweb/instance-metadata.ts'
import { prepareMetadata } from '../../areas/dicomweb/study-metadata.command.ts'
import { inTurnOf } from '../../areas/pictures/in-turn-of.ts'
import { findOutgoingRecord } from '../../areas/altered/outgoing-record.sql.ts'
import { correctionFor } from '../../areas/altered/correction-to-apply.ts'
import { correctionOf } from '../../areas/altered/record-edits.ts'
import { findImage } from '../../areas/storage/record-images.sql.ts'
import type { Services } from '../../services.ts'
import { originOf } from '../dicomweb/origin.ts'
import { type Opened, route } from '../route.ts'
import { sendGzip } from './send-gzip.ts'

/** DICOM JSON under the storage API's own address, sid and envelope. One instance comes as an object, not as a list. */
export function storageMetadataRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, studyMetadata, (opened) => {
    const { studyUid } = opened.params
    return sendPrepared(services, opened, undefined, ['IMAGES_NOT_FOUND', { study_uid: studyUid }])
  })

  route(app, services, seriesMetadata, (opened) => {
    const { seriesUid } = opened.params
    return sendPrepared(services, opened, seriesUid, ['SERIES_NOT_FOUND', { series_uid: seriesUid }])
  })

  route(app, services, imageMetadata, async ({ request, reply, caller, access: { record }, params }) => {
    const { seriesUid, imageUid } = params
    const instance = await findImage(services.db, record, imageUid)
    if (!instance || instance.series_uid !== seriesUid) {
      throw new StorageError('IMAGE_NOT_FOUND', undefined, { image_uid: imageUid })
    }
    const outgoing = await findOutgoingRecord(services.db, record.phi_namespace, record.uuid)
    const correction = correctionFor(record, outgoing && correctionOf(outgoing))
    const json = await tellMetadata(inTurnOf(services, caller), instance, record, correction, originOf(request))
    return reply.type('application/dicom+json').send(json)
  })
}

async function sendPrepared(
  services: Services,
  { request, reply, caller, access }: Pick<Opened, 'request' | 'reply' | 'caller'> & { access: StudyAccess },
  seriesUid: string | undefined,
  [code, named]: [StorageErrorCode, Record<string, string>],
): Promise<FastifyReply> {
  const prepared = await prepareMetadata(inTurnOf(services, caller), access.record, seriesUid, originOf(request))
  if (!prepared) throw new StorageError(code, undefined, named)
  reply.headers({ etag: prepared.etag, vary: 'accept-encoding' })
  if (request.headers['if-none-match'] === prepared.etag) return reply.code(304).send()
  reply.type('application/dicom+json')
  return sendGzip(request, reply, prepared.path)
}
