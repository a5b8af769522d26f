import { mostInArchive } from '@hilum/contract/limits'
import type { QueryOf } from '@hilum/contract/route-parameters'
import { studyDownload } from '@hilum/contract/routes/storage-acts'
import { StorageError } from '@hilum/contract/storage-errors'
import { tagToHex } from '@hilum/dicom/tags'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openStudyByUuid } from '../../access/storage-access.ts'
import type { StudyAccess } from '../../access/study-access.ts'
import { readAnonymizeAttributes } from '../../areas/altered/anonymize-attributes.ts'
import { noLinkAsReceived } from '../../areas/altered/correction-to-apply.ts'
import { inTurnOf } from '../../areas/pictures/in-turn-of.ts'
import { isNamed } from '../../areas/archive/place-files.ts'
import { planConverted } from '../../areas/archive/plan-converted.command.ts'
import { type DownloadOptions, planDownload, planSeveral } from '../../areas/archive/plan-download.command.ts'
import { planPictures } from '../../areas/archive/plan-pictures.command.ts'
import type { Services } from '../../services.ts'
import { jobOfRequest } from './job-of-request.ts'
import { readText, withoutNull } from './read-text.ts'
import { type Opened, route } from '../route.ts'
import { sendBody } from './send-body.ts'
import { contentDisposition, sendParts } from './send-parts.ts'
import { untilGone } from './until-gone.ts'
import { wantedForm } from './wanted-form.ts'
import { type SendingWatch, watchSending } from './watch-sending.ts'

type DownloadQuery = QueryOf<(typeof studyDownload)['query']>
type OpenedDownload = Pick<Opened, 'request' | 'reply' | 'caller' | 'detail' | 'further'> & {
  access: StudyAccess
  query: DownloadQuery
}
type Archive = { options: DownloadOptions; body: AsyncGenerator<Uint8Array>; filename: string }

const MAX_FORM_BYTES = 1024 * 1024

export function downloadRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, studyDownload, (opened) => download(services, opened), { takeForm: mergeForm })
}

async function download(services: Services, opened: OpenedDownload): Promise<FastifyReply> {
  const { request, reply, access, query } = opened
  const { bundle, transfer_syntax: syntax } = query
  if (query.as_received && access.record.withholds_former) throw new StorageError('FORBIDDEN', noLinkAsReceived)
  if (!bundle) throw new StorageError('BAD_REQUEST', 'The parameter bundle is missing: use dicom, image or iso')
  if (query.and_studies) return downloadSeveral(services, opened, query.and_studies)
  if (bundle === 'image') return downloadPictures(services, opened)
  if (bundle !== 'dicom' && bundle !== 'iso') {
    throw new StorageError('NOT_ACCEPTABLE', 'There is no bundle of this kind: use dicom, image or iso')
  }
  if (syntax && syntax !== '*') {
    if (bundle === 'dicom') return downloadConverted(services, opened, syntax)
    throw new StorageError('NOT_ACCEPTABLE', 'A disc holds the images as they are stored; bundle=dicom converts them')
  }
  const options = { ...optionsOf(query), isDisc: bundle === 'iso' }
  if (options.isDisc && isNamed(options)) {
    throw new StorageError(
      'NOT_ACCEPTABLE',
      'A disc names its files in eight capital letters; bundle=dicom names folders',
    )
  }
  const plan = await planDownload(services, access.record, options)
  noteReplaced(opened, options)
  const contentType = bundle === 'iso' ? 'application/x-iso9660-image' : 'application/zip'
  return sendParts(request, reply, { ...plan, contentType, watch: watchOf(services, opened) })
}

/** Several studies as one ZIP; each is opened, and goes on record, as if it were fetched by itself. */
async function downloadSeveral(
  services: Services,
  opened: OpenedDownload,
  uuids: readonly string[],
): Promise<FastifyReply> {
  const { request, reply, caller, access, query } = opened
  const { bundle, series_uid, image_uid, transfer_syntax: syntax } = query
  if (bundle !== 'dicom' || series_uid || image_uid || (syntax && syntax !== '*')) {
    throw new StorageError(
      'NOT_ACCEPTABLE',
      'Several studies come as bundle=dicom, each with all of its images, as they are stored',
    )
  }
  if (uuids.length >= mostInArchive) {
    throw new StorageError('BAD_REQUEST', `One archive holds up to ${mostInArchive} studies`)
  }
  const others: StudyAccess[] = []
  for (const uuid of uuids) {
    const other = await openStudyByUuid(services, caller, uuid, studyDownload.on.may)
    // a uuid may be written in capitals too
    if ([access, ...others].every(({ record }) => record.uuid !== other.record.uuid)) others.push(other)
  }
  const options = optionsOf(query)
  const plan = await planSeveral(
    services,
    [access, ...others].map(({ record }) => record),
    options,
  )
  noteReplaced(opened, options)
  opened.further = others
  return sendParts(request, reply, { ...plan, contentType: 'application/zip', watch: watchOf(services, opened) })
}

function watchOf(services: Services, { request, caller, access }: OpenedDownload): SendingWatch | undefined {
  const job = jobOfRequest(request, caller, access.record.phi_namespace)
  return job && watchSending(services, job)
}

/** Pictures are drawn while they are sent, so neither length nor ranges are known. */
async function downloadPictures(services: Services, opened: OpenedDownload): Promise<FastifyReply> {
  const { caller, access, query } = opened
  const options = { ...optionsOf(query), isWithWrapped: query.include_wrapped_dicoms }
  return sendArchive(services, opened, {
    options,
    ...(await planPictures(inTurnOf(services, caller), access.record, options)),
  })
}

/** Images are brought into another syntax while they are sent. */
async function downloadConverted(services: Services, opened: OpenedDownload, syntax: string): Promise<FastifyReply> {
  const { reply, caller, access, query } = opened
  const formOf = (stored: string) => wantedForm(syntax, stored)
  const options = { ...optionsOf(query), formOf, signal: untilGone(reply) }
  return sendArchive(services, opened, {
    options,
    ...(await planConverted(inTurnOf(services, caller), access.record, options)),
  })
}

async function sendArchive(
  services: Services,
  opened: OpenedDownload,
  { options, body, filename }: Archive,
): Promise<FastifyReply> {
  const { request, reply } = opened
  reply.type('application/zip').header('content-disposition', contentDisposition(filename, false))
  if (request.method === 'HEAD') return reply.send()
  noteReplaced(opened, options)
  const watch = watchOf(services, opened)
  return sendBody(request, reply, watch ? watch(body, { start: 0 }) : body)
}

/** The tags that a download replaces go on record with it. */
function noteReplaced(opened: OpenedDownload, { anonymize }: DownloadOptions): void {
  if (!anonymize) return
  opened.detail = { anonymize_tags: [...anonymize.keys()].toSorted((a, b) => a - b).map(tagToHex) }
}

/** @throws StorageError ANONYMIZE_TAGS_FORMAT_ERROR */
function optionsOf(query: DownloadQuery): DownloadOptions {
  const { series_uid, image_uid, flat_directory, roche_directory, as_received, anonymize_tags } = query
  return {
    ...(series_uid ? { seriesUids: series_uid } : {}),
    ...(image_uid ? { imageUids: image_uid } : {}),
    isFlat: flat_directory,
    hasNamedFolders: roche_directory,
    isAsReceived: as_received,
    // an empty list is a mistake too: nothing leaves as it is in place of what was to be without names
    ...(anonymize_tags === undefined ? {} : { anonymize: readAnonymizeAttributes(anonymize_tags) }),
  }
}

/** A posted form holds the same parameters as the query; what is to be replaced adds up. */
async function mergeForm(request: FastifyRequest): Promise<void> {
  if (request.method !== 'POST') return
  const form = new URLSearchParams(await readText(request, MAX_FORM_BYTES))
  for (const value of form.values()) withoutNull(value)
  const query = request.query as Readonly<Record<string, string>>
  const replaced = [query.anonymize_tags ?? [], form.getAll('anonymize_tags')].flat()
  const anonymize_tags = replaced.length > 0 ? { anonymize_tags: replaced.join(',') } : {}
  Object.assign(query, Object.fromEntries(form), { ...query }, anonymize_tags)
}
