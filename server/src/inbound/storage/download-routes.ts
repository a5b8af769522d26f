import { StorageError } from '@hilum/contract/storage-errors'
import { tagToHex } from '@hilum/dicom/tags'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import type { StudyAccess } from '../../access/study-access.ts'
import { recordAccess } from '../../areas/audit/record-access.command.ts'
import { readAnonymizeTags } from '../../areas/storage/anonymize-tags.ts'
import { inTurnOf } from '../../areas/storage/in-turn-of.ts'
import { isNamed } from '../../areas/storage/place-files.ts'
import { planConverted } from '../../areas/storage/plan-converted.command.ts'
import { type DownloadWish, planDownload } from '../../areas/storage/plan-download.command.ts'
import { planPictures } from '../../areas/storage/plan-pictures.command.ts'
import type { Services } from '../../services.ts'
import { sendStorageError } from './answer-failures.ts'
import { jobOfRequest } from './job-of-request.ts'
import { isSet } from './query-flag.ts'
import { readText, withoutNull } from './read-text.ts'
import { sendBody } from './send-body.ts'
import { contentDisposition, sendParts } from './send-parts.ts'
import { openStudyOfRequest, type StudyRoute } from './study-routes.ts'
import { untilGone } from './until-gone.ts'
import { wantedForm } from './wanted-form.ts'
import { type SendingWatch, watchSending } from './watch-sending.ts'

type DownloadQuery = {
  sid?: string
  bundle?: string
  series_uid?: string
  image_uid?: string
  flat_directory?: string
  transfer_syntax?: string
  anonymize_tags?: string
  roche_directory?: string
  include_wrapped_dicoms?: string
  /** Ours: without the corrections of people. */
  as_received?: string
  /** Ours: whose progress the channel tells. */
  job_id?: string
}
type DownloadRoute = { Params: StudyRoute['Params']; Querystring: StudyRoute['Querystring'] & DownloadQuery }

type Archive = {
  caller: Caller
  access: StudyAccess
  wish: DownloadWish
  body: AsyncGenerator<Uint8Array>
  filename: string
}

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
  const { bundle, transfer_syntax: syntax } = request.query
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
  if (syntax && syntax !== '*') {
    if (bundle === 'dicom') return downloadConverted(services, request, reply, syntax)
    throw new StorageError('NOT_ACCEPTABLE', 'A disc holds the images as they are stored; bundle=dicom converts them')
  }
  const wish = { ...wishOf(request.query), isDisc: bundle === 'iso' }
  if (wish.isDisc && isNamed(wish)) {
    throw new StorageError(
      'NOT_ACCEPTABLE',
      'A disc names its files in eight capital letters; bundle=dicom names folders',
    )
  }
  const plan = await planDownload(services, access.record, request.params.namespace, wish)
  if (request.method !== 'HEAD') await recordDownload(services, caller, access, wish)
  const contentType = bundle === 'iso' ? 'application/x-iso9660-image' : 'application/zip'
  return sendParts(request, reply, { ...plan, contentType, watch: watchOf(services, request, caller, access) })
}

function watchOf(
  services: Services,
  request: FastifyRequest<DownloadRoute>,
  caller: Caller,
  { record }: StudyAccess,
): SendingWatch | undefined {
  const job = jobOfRequest(request as unknown as FastifyRequest, caller, record.phi_namespace)
  return job && watchSending(services, job)
}

/** Pictures are drawn while they are sent, so neither length nor ranges are known. */
async function downloadPictures(
  services: Services,
  request: FastifyRequest<DownloadRoute>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { caller, access } = await openStudyOfRequest(services, request, ['study_download'])
  const wish = { ...wishOf(request.query), isWithWrapped: isSet(request.query.include_wrapped_dicoms) }
  const plan = await planPictures(inTurnOf(services, caller), access.record, request.params.namespace, wish)
  return sendArchive(services, request, reply, { caller, access, wish, ...plan })
}

/** Images are brought into another syntax while they are sent. */
async function downloadConverted(
  services: Services,
  request: FastifyRequest<DownloadRoute>,
  reply: FastifyReply,
  syntax: string,
): Promise<FastifyReply> {
  const { caller, access } = await openStudyOfRequest(services, request, ['study_download'])
  const formOf = (stored: string) => wantedForm(syntax, stored)
  const wish = { ...wishOf(request.query), formOf, signal: untilGone(reply) }
  const plan = await planConverted(inTurnOf(services, caller), access.record, request.params.namespace, wish)
  return sendArchive(services, request, reply, { caller, access, wish, ...plan })
}

async function sendArchive(
  services: Services,
  request: FastifyRequest<DownloadRoute>,
  reply: FastifyReply,
  { caller, access, wish, body, filename }: Archive,
): Promise<FastifyReply> {
  reply
    .type('application/zip')
    .header('cache-control', 'private, no-cache')
    .header('x-content-type-options', 'nosniff')
    .header('content-disposition', contentDisposition(filename, false))
  if (request.method === 'HEAD') return reply.send()
  await recordDownload(services, caller, access, wish)
  const watch = watchOf(services, request, caller, access)
  return sendBody(request, reply, watch ? watch(body, { start: 0 }) : body)
}

/** Puts a download on record, and which tags were replaced in it. */
function recordDownload({ db }: Services, caller: Caller, access: StudyAccess, { anonymize }: DownloadWish) {
  const detail = anonymize && { anonymize_tags: [...anonymize.keys()].toSorted((a, b) => a - b).map(tagToHex) }
  return recordAccess(db, caller, access, 'STUDY_DOWNLOAD', detail)
}

/** @throws StorageError ANONYMIZE_TAGS_FORMAT_ERROR */
function wishOf(query: DownloadQuery): DownloadWish {
  const { series_uid, image_uid, flat_directory, roche_directory, as_received, anonymize_tags } = query
  return {
    ...(series_uid ? { seriesUids: series_uid.split(',') } : {}),
    ...(image_uid ? { imageUids: image_uid.split(',') } : {}),
    isFlat: isSet(flat_directory),
    hasNamedFolders: isSet(roche_directory),
    isAsReceived: isSet(as_received),
    // an empty list is a mistake too: nothing leaves as it is in place of what was to be without names
    ...(anonymize_tags === undefined ? {} : { anonymize: readAnonymizeTags(anonymize_tags) }),
  }
}

/** A posted form holds the same parameters as the query; what is to be replaced adds up. */
async function mergeForm(request: FastifyRequest<DownloadRoute>): Promise<void> {
  const form = new URLSearchParams(await readText(request as unknown as FastifyRequest, MAX_FORM_BYTES))
  for (const value of form.values()) withoutNull(value)
  const { query } = request
  const replaced = [query.anonymize_tags ?? [], form.getAll('anonymize_tags')].flat()
  const anonymize_tags = replaced.length > 0 ? { anonymize_tags: replaced.join(',') } : {}
  Object.assign(query, Object.fromEntries(form), { ...query }, anonymize_tags)
}
