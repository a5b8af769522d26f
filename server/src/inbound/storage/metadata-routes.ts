import { StorageError } from '@hilum/contract/storage-errors'
import type { FastifyInstance } from 'fastify'
import { recordAccess } from '../../areas/audit/record-access.command.ts'
import { tellMetadata } from '../../areas/dicomweb/instance-metadata.ts'
import { prepareMetadata } from '../../areas/dicomweb/study-metadata.command.ts'
import { inTurnOf } from '../../areas/storage/in-turn-of.ts'
import { findInstance } from '../../areas/storage/instance.sql.ts'
import { findLeavingRecord } from '../../areas/storage/leaving-record.sql.ts'
import { correctionOf } from '../../areas/storage/record-edits.ts'
import type { Services } from '../../services.ts'
import { sendGzip } from './send-gzip.ts'
import { openStudyOfRequest, type StudyRoute } from './study-routes.ts'

type MetadataRoute = {
  Params: StudyRoute['Params'] & { seriesUid?: string; imageUid?: string }
  Querystring: StudyRoute['Querystring']
}

const STUDY = '/dicomweb/:namespace/studies/:studyUid'

/** DICOM JSON under the storage API's own address, sid and envelope. One instance comes as an object, not as a list. */
export function metadataRoutes(app: FastifyInstance, services: Services): void {
  for (const url of [`${STUDY}/metadata`, `${STUDY}/series/:seriesUid/metadata`]) {
    app.get<MetadataRoute>(url, async (request, reply) => {
      const { caller, access } = await openStudyOfRequest(services, request)
      const { seriesUid, studyUid, namespace } = request.params
      await recordAccess(services.db, caller, access, 'STUDY_VIEW')
      const record = { ...access.record, storage_namespace: namespace }
      const prepared = await prepareMetadata(inTurnOf(services, caller), { ...access, record }, seriesUid)
      if (!prepared && seriesUid) throw new StorageError('SERIES_NOT_FOUND', undefined, { series_uid: seriesUid })
      if (!prepared) throw new StorageError('IMAGES_NOT_FOUND', undefined, { study_uid: studyUid })
      reply.headers({ etag: prepared.etag, 'cache-control': 'private, no-cache', vary: 'accept-encoding' })
      if (request.headers['if-none-match'] === prepared.etag) return reply.code(304).send()
      reply.type('application/dicom+json')
      return sendGzip(request, reply, prepared.path)
    })
  }

  app.get<MetadataRoute>(`${STUDY}/series/:seriesUid/instances/:imageUid/metadata`, async (request, reply) => {
    const { caller, access } = await openStudyOfRequest(services, request)
    const { seriesUid, studyUid, namespace, imageUid = '' } = request.params
    const instance = await findInstance(services.db, namespace, studyUid, imageUid)
    if (!instance || instance.series_uid !== seriesUid) {
      throw new StorageError('IMAGE_NOT_FOUND', undefined, { image_uid: imageUid })
    }
    await recordAccess(services.db, caller, access, 'STUDY_VIEW')
    const { record } = access
    const leaving = await findLeavingRecord(services.db, record.phi_namespace, record.uuid)
    const correction = correctionOf(leaving?.edits ?? [])
    const json = await tellMetadata(inTurnOf(services, caller), instance, record, correction)
    return reply.type('application/dicom+json').header('cache-control', 'private, no-cache').send(json)
  })
}
