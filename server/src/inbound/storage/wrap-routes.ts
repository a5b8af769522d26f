import type { QueryOf } from '@hilum/contract/route-parameters'
import { attachmentToImages } from '@hilum/contract/routes/storage-attachments'
import { chunkAdd, chunksBegin, chunksComplete, uploadToWrap } from '@hilum/contract/routes/storage-uploads'
import { StorageError } from '@hilum/contract/storage-errors'
import type { FastifyInstance } from 'fastify'
import type { Caller, Membership } from '../../access/caller.ts'
import { doAsJob } from '../../areas/job/track-job.command.ts'
import { type ImageArrival, receiveImage, UPLOAD_QUIET_SECONDS } from '../../areas/ingest/receive-image.command.ts'
import { presentReceivedImage } from '../../areas/ingest/received-image.presenter.ts'
import { scanned } from '../../areas/ingest/scan-body.ts'
import { presentAttachment } from '../../areas/attachments/schema.presenter.ts'
import { storeUploadPart, openWhole, stageFile, type WholeUpload } from '../../areas/ingest/upload-parts.ts'
import { seriesKeyOf, wrapAttachment } from '../../areas/attachments/wrap-attachment.command.ts'
import {
  type FileToWrap,
  MAX_WRAPPED_BYTES,
  type Wrapped,
  type WrapOptions,
  wrapFile,
} from '../../areas/attachments/wrap-file.command.ts'
import type { Services } from '../../services.ts'
import { keyOf } from './attachment-routes.ts'
import { jobOfRequest } from './job-of-request.ts'
import { bodyOf } from './request-body.ts'
import { type Opened, route } from '../route.ts'
import { fileSizeOf, withWrapForm } from './wrap-form.ts'

type WrapQuery = Pick<QueryOf<(typeof uploadToWrap)['query']>, 'tags' | 'study_uid' | 'render_wrapped_pdf'>

/** Files that are no DICOM, and large files in chunks. */
export function wrapRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, uploadToWrap, async (opened) => {
    const { request, reply, caller, place } = opened
    const job = jobOfRequest(request, caller, place.namespaceUuid)
    return reply.code(202).send(await doAsJob(services, job, () => wrapForm(services, opened)))
  })

  route(app, services, chunksBegin, async ({ reply, caller }) =>
    reply.send({ upload_uuid: await services.uploads.begin(caller.userUuid) }),
  )

  route(app, services, chunkAdd, async ({ request, reply, caller: { userUuid }, params }) => {
    const checksum = String(request.headers['x-ambrahealth-part-checksum'] ?? '')
    if (!/^\d{1,10}$/.test(checksum)) {
      throw new StorageError('VALIDATION_ERROR', 'The header X-AmbraHealth-part-checksum must be a decimal CRC-32')
    }
    const name = String(request.headers['x-file-name'] ?? '')
    const upload = { uuid: params.upload, userUuid }
    await storeUploadPart(services, upload, { name, crc32: Number(checksum), body: bodyOf(request) })
    return reply.code(202).send({ upload_uuid: upload.uuid, part: name })
  })

  route(app, services, chunksComplete, async ({ request, reply, caller, place, params, query }) => {
    const { endpoint, study_uid: studyUid, tags } = query
    const upload = { uuid: params.upload, userUuid: caller.userUuid }
    const length = fileSizeOf(request)
    const file = { name: String(request.headers['x-file-name'] ?? ''), tags, studyUid, ...optionsOf(query) }
    const complete = endpoint === 'image' ? completeImage : completeWrap
    const job = jobOfRequest(request, caller, place.namespaceUuid)
    const answer = await doAsJob(services, job, async () => {
      const whole = await openWhole(services, upload, length)
      const taken = await complete(services, caller, place, whole, file)
      await whole.discard()
      return taken
    })
    return reply.code(202).send(answer)
  })

  route(app, services, attachmentToImages, async (opened) => {
    const { request, reply, caller, access, query } = opened
    const { record, membership } = access
    const { id, version } = keyOf(opened)
    const seriesKey = seriesKeyOf(record, { id, version: version.toLowerCase() }, query.static_ids)
    const job = jobOfRequest(request, caller, record.phi_namespace)
    const images = await doAsJob(services, job, async () => {
      const made = await wrapAttachment(services, caller, access, { id, version }, { seriesKey })
      if (!made) throw new StorageError('NOT_ACCEPTABLE', 'Only pictures and PDF files become images')
      return made
    })
    return reply.code(202).send(presentWrapped({ kind: 'images', images }, membership.namespaceUuid))
  })
}

type NamedFile = Pick<FileToWrap, 'name' | 'tags' | 'studyUid'> & Pick<WrapOptions, 'pdf'>

function optionsOf({ render_wrapped_pdf }: WrapQuery): Pick<WrapOptions, 'pdf'> {
  return { pdf: render_wrapped_pdf ? 'both' : 'held' }
}

async function wrapForm(
  services: Services,
  { request, caller, place, query }: Pick<Opened, 'request'> & { caller: Caller; place: Membership; query: WrapQuery },
): Promise<object> {
  return withWrapForm(services, request, ({ staged: { path, length }, tags = query.tags, name }) =>
    wrap(services, caller, place, { path, length, name, tags, studyUid: query.study_uid, ...optionsOf(query) }),
  )
}

async function completeImage(
  services: Services,
  caller: Caller,
  membership: Membership,
  whole: WholeUpload,
  { studyUid }: NamedFile,
): Promise<object> {
  const arrival: ImageArrival = {
    namespaceUuid: membership.namespaceUuid,
    accountUuid: membership.accountUuid,
    source: 'upload',
    actor: caller.userUuid,
    isByKey: caller.kind === 'key',
    quietSeconds: UPLOAD_QUIET_SECONDS,
    contentLength: whole.length,
    ...(studyUid ? { expectedStudyUid: studyUid } : {}),
  }
  return presentReceivedImage(await receiveImage(services, arrival, whole.body()), membership.namespaceUuid)
}

async function completeWrap(
  services: Services,
  caller: Caller,
  membership: Membership,
  whole: WholeUpload,
  file: NamedFile,
): Promise<object> {
  const staged = await stageFile(services, scanned(services, whole.body()), MAX_WRAPPED_BYTES)
  try {
    return await wrap(services, caller, membership, { path: staged.path, length: staged.length, ...file })
  } finally {
    await staged.discard()
  }
}

type File = FileToWrap & Pick<WrapOptions, 'pdf'>

async function wrap(services: Services, caller: Caller, membership: Membership, { pdf, ...file }: File) {
  return presentWrapped(await wrapFile(services, caller, membership, file, { pdf }), membership.namespaceUuid)
}

function presentWrapped(wrapped: Wrapped, namespaceUuid: string) {
  if (wrapped.kind === 'attachment') {
    return { ...presentAttachment(wrapped.attachment), phi_namespace: wrapped.phiNamespace }
  }
  const images = wrapped.images.map((one) => presentReceivedImage(one, namespaceUuid))
  return { ...images[0], images }
}
