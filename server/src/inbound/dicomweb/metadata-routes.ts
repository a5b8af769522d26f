import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { applyEdits } from '../../areas/dicomweb/apply-edits.ts'
import { readInstanceMetadata } from '../../areas/dicomweb/instance-metadata.ts'
import { findMetadataVersion } from '../../areas/dicomweb/metadata.sql.ts'
import { prepareMetadata } from '../../areas/dicomweb/study-metadata.command.ts'
import { findInstance } from '../../areas/storage/instance.sql.ts'
import type { Services } from '../../services.ts'
import { DicomwebError } from './answer-errors.ts'
import { openStudyRequest } from './open-request.ts'

/** WADO-RS metadata of a study, a series, an instance. Source: PS3.18 §10.4.1.1.2. */
export function metadataRoutes(app: FastifyInstance, services: Services): void {
  const at = '/dicomweb/:namespace/studies/:study'
  for (const url of [`${at}/metadata`, `${at}/series/:series/metadata`]) {
    app.get(url, async (request, reply) => {
      const { access, params } = await openStudyRequest(services, request)
      const prepared = await prepareMetadata(services, access, params.series)
      if (!prepared)
        throw new DicomwebError(404, params.series ? 'There is no such series here' : 'The study has no images')
      return sendPrepared(request, reply, prepared)
    })
  }
  app.get(`${at}/series/:series/instances/:instance/metadata`, async (request, reply) => {
    const { access, params } = await openStudyRequest(services, request)
    const { record } = access
    const instance = await findInstance(services.db, record.storage_namespace, record.study_uid, params.instance ?? '')
    if (!instance || instance.series_uid !== params.series)
      throw new DicomwebError(404, 'There is no such instance here')
    const address = `/dicomweb/${record.phi_namespace}/studies/${record.study_uid}/series/${instance.series_uid}/instances/${instance.sop_uid}`
    const json = await readInstanceMetadata(services.store, instance, address)
    const version = await findMetadataVersion(services.db, record)
    return reply.type('application/dicom+json').send(JSON.stringify([applyEdits(json, version?.edits ?? [])]))
  })
}

/** The gzip file as it lies there, or opened for the rare client that cannot read it. */
function sendPrepared(request: FastifyRequest, reply: FastifyReply, { path, etag }: { path: string; etag: string }) {
  reply.headers({ etag, 'cache-control': 'private, no-cache', vary: 'accept-encoding' })
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  reply.type('application/dicom+json')
  const file = createReadStream(path)
  if (/\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(String(request.headers['accept-encoding'] ?? ''))) {
    return reply.header('content-encoding', 'gzip').send(file)
  }
  const opened = createGunzip()
  file.on('error', (error) => opened.destroy(error))
  return reply.send(file.pipe(opened))
}
