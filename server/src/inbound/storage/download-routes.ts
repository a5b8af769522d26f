import type { Readable } from 'node:stream'
import { StorageError } from '@hilum/contract/storage-errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { recordAccess } from '../../areas/audit/record-access.command.ts'
import { type DownloadWish, planDownload } from '../../areas/storage/plan-download.command.ts'
import type { Services } from '../../services.ts'
import { sendParts } from './send-parts.ts'
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
  // The wire answers a missing bundle with 500.
  if (!bundle) throw new StorageError('STORAGE_EXCEPTION_OCCURRED', 'The parameter bundle is missing')
  if (bundle !== 'dicom') throw new StorageError('NOT_ACCEPTABLE', `There is no bundle of this kind: use dicom`)
  const plan = await planDownload(services, access.record, request.params.namespace, wishOf(request.query))
  if (request.method !== 'HEAD') await recordAccess(services.db, caller, access, 'STUDY_DOWNLOAD')
  return sendParts(request, reply, { ...plan, contentType: 'application/zip' })
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
  const body = request.body as Readable | undefined
  if (!body) return
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_FORM_BYTES) throw new StorageError('PAYLOAD_TOO_LARGE', 'The form is larger than allowed')
    chunks.push(chunk)
  }
  const form = new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
  Object.assign(request.query, Object.fromEntries(form), { ...request.query })
}
