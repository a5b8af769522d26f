import { Readable } from 'node:stream'
import { StorageError } from '@hilum/contract/storage-errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { recordAccess } from '../../areas/audit/record-access.command.ts'
import { type DownloadWish, planDownload } from '../../areas/storage/plan-download.command.ts'
import { planPictures } from '../../areas/storage/plan-pictures.command.ts'
import type { Services } from '../../services.ts'
import { sendStorageError } from './answer-failures.ts'
import { readText } from './read-text.ts'
import { contentDisposition, sendParts } from './send-parts.ts'
import { openStudyOfRequest, type StudyRoute } from './study-routes.ts'

type DownloadQuery = {
  sid?: string
  bundle?: string
  series_uid?: string
  image_uid?: string
  flat_directory?: string
  /** Ours: without the corrections of people. */
  as_received?: string
}
type DownloadRoute = { Params: StudyRoute['Params']; Querystring: StudyRoute['Querystring'] & DownloadQuery }

const MAX_FORM_BYTES = 1024 * 1024

export function downloadRoutes(app: FastifyInstance, services: Services): void {
  app.route<DownloadRoute>({
    method: ['GET', 'HEAD', 'POST'],
    url: '/study/:namespace/:studyUid/download',
    handler: async (request, reply) => {
      if (request.method === 'POST') await mergeForm(request)
      return download(services, request, reply)
    },
  })
}

async function download(
  services: Services,
  request: FastifyRequest<DownloadRoute>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { caller, access } = await openStudyOfRequest(services, request, ['study_download'])
  const { bundle } = request.query
  // The wire answers a missing bundle with 500. It is the caller's fault all the same: answered, not logged as ours.
  if (!bundle) {
    return sendStorageError(
      request,
      reply,
      new StorageError('STORAGE_EXCEPTION_OCCURRED', 'The parameter bundle is missing'),
    )
  }
  if (bundle === 'image') return downloadPictures(services, request, reply)
  if (bundle !== 'dicom' && bundle !== 'iso') {
    throw new StorageError('NOT_ACCEPTABLE', 'There is no bundle of this kind: use dicom, image or iso')
  }
  const wish = { ...wishOf(request.query), isDisc: bundle === 'iso' }
  const plan = await planDownload(services, access.record, request.params.namespace, wish)
  if (request.method !== 'HEAD') await recordAccess(services.db, caller, access, 'STUDY_DOWNLOAD')
  const contentType = bundle === 'iso' ? 'application/x-iso9660-image' : 'application/zip'
  return sendParts(request, reply, { ...plan, contentType })
}

/** Pictures are drawn while they are sent, so neither length nor ranges are known. */
async function downloadPictures(
  services: Services,
  request: FastifyRequest<DownloadRoute>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { caller, access } = await openStudyOfRequest(services, request, ['study_download'])
  const { body, filename } = await planPictures(
    services,
    access.record,
    request.params.namespace,
    wishOf(request.query),
  )
  reply
    .type('application/zip')
    .header('cache-control', 'private, no-cache')
    .header('x-content-type-options', 'nosniff')
    .header('content-disposition', contentDisposition(filename, false))
  if (request.method === 'HEAD') return reply.send()
  await recordAccess(services.db, caller, access, 'STUDY_DOWNLOAD')
  return reply.send(Readable.from(body, { objectMode: false }))
}

function wishOf(query: DownloadQuery): DownloadWish {
  const { series_uid, image_uid, flat_directory, as_received } = query
  return {
    ...(series_uid ? { seriesUids: series_uid.split(',') } : {}),
    ...(image_uid ? { imageUids: image_uid.split(',') } : {}),
    isFlat: flat_directory === '1',
    isAsReceived: as_received === '1',
  }
}

/** A posted form holds the same parameters as the query. */
async function mergeForm(request: FastifyRequest<DownloadRoute>): Promise<void> {
  const form = new URLSearchParams(await readText(request as unknown as FastifyRequest, MAX_FORM_BYTES))
  Object.assign(request.query, Object.fromEntries(form), { ...request.query })
}
