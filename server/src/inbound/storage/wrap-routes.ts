import { StorageError } from '@hilum/contract/storage-errors'
import { uuidForm } from '@hilum/contract/wire'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller, Membership } from '../../access/caller.ts'
import { authorise, openNamespace } from '../../access/storage-access.ts'
import { doAsJob } from '../../areas/job/track-job.command.ts'
import { type Arrival, receiveImage, UPLOAD_QUIET_SECONDS } from '../../areas/storage/receive-image.command.ts'
import { presentReceivedImage } from '../../areas/storage/received-image.presenter.ts'
import { scanned } from '../../areas/storage/scan-body.ts'
import { presentAttachment } from '../../areas/storage/schema.presenter.ts'
import {
  beginUpload,
  keepPart,
  openWhole,
  type StagedFile,
  stageFile,
  type WholeUpload,
} from '../../areas/storage/upload-parts.ts'
import { seriesKeyOf, wrapAttachment } from '../../areas/storage/wrap-attachment.command.ts'
import {
  type FileToWrap,
  MAX_WRAPPED_BYTES,
  type Wrapped,
  type WrapWish,
  wrapFile,
} from '../../areas/storage/wrap-file.command.ts'
import type { Services } from '../../services.ts'
import { jobOfRequest } from './job-of-request.ts'
import { readForm, textOfPart } from './multipart-form.ts'
import { isSet } from './query-flag.ts'
import { bodyOf } from './request-body.ts'
import { openStudyOfRequest, type StudyRoute } from './study-routes.ts'

type WrapQuery = { study_uid?: string; tags?: string; render_wrapped_pdf?: string }
type WrapRoute = { Params: { namespace: string }; Querystring: WrapQuery }
type PartRoute = { Params: { upload: string } }
type CompleteRoute = {
  Params: { upload: string }
  Querystring: WrapQuery & { namespace?: string; endpoint?: string }
}
type ToImageRoute = {
  Params: StudyRoute['Params'] & { id: string; version: string }
  Querystring: StudyRoute['Querystring'] & { static_ids?: string }
}

const MAX_TAGS_BYTES = 1024 * 1024

/** Files that are no DICOM, and large files in chunks. */
export function wrapRoutes(app: FastifyInstance, services: Services): void {
  app.post<WrapRoute>('/namespace/:namespace/wrap', async (request, reply) => {
    const caller = await authorise(services, request)
    const membership = await openNamespace(caller, request.params.namespace, ['study_upload'])
    const job = jobOfRequest(request, caller, membership.namespaceUuid)
    return reply.code(202).send(await doAsJob(services, job, () => wrapForm(services, request, caller, membership)))
  })

  app.get('/multipart/initiate', async (request, reply) => {
    const caller = await authorise(services, request)
    const mayUpload = (await caller.memberships()).some((one) => one.permissions.has('study_upload'))
    if (!mayUpload || caller.derivedStudies) throw new StorageError('ACCESS_DENIED')
    return reply.send({ upload_uuid: await beginUpload(services, caller.userUuid) })
  })

  app.post<PartRoute>('/multipart/:upload', async (request, reply) => {
    const { userUuid } = await authorise(services, request)
    const checksum = String(request.headers['x-ambrahealth-part-checksum'] ?? '')
    if (!/^\d{1,10}$/.test(checksum)) {
      throw new StorageError('VALIDATION_ERROR', 'The header X-AmbraHealth-part-checksum must be a decimal CRC-32')
    }
    const name = String(request.headers['x-file-name'] ?? '')
    const upload = { uuid: request.params.upload, userUuid }
    await keepPart(services, upload, { name, crc32: Number(checksum), body: bodyOf(request) })
    return reply.code(202).send({ upload_uuid: upload.uuid, part: name })
  })

  app.post<CompleteRoute>('/multipart/:upload/complete', async (request, reply) => {
    const caller = await authorise(services, request)
    const { namespace = '', endpoint = 'image', study_uid: studyUid, tags } = request.query
    const membership = await openNamespace(caller, namespace, ['study_upload'])
    if (endpoint !== 'image' && endpoint !== 'wrap') {
      throw new StorageError('BAD_REQUEST', 'The endpoint must be image or wrap')
    }
    const upload = { uuid: request.params.upload, userUuid: caller.userUuid }
    const length = fileSizeOf(request)
    const file = { name: String(request.headers['x-file-name'] ?? ''), tags, studyUid, ...wishOf(request.query) }
    const complete = endpoint === 'image' ? completeImage : completeWrap
    const job = jobOfRequest(request, caller, membership.namespaceUuid)
    const answer = await doAsJob(services, job, async () => {
      const whole = await openWhole(services, upload, length)
      const taken = await complete(services, caller, membership, whole, file)
      await whole.discard()
      return taken
    })
    return reply.code(202).send(answer)
  })

  app.post<ToImageRoute>(
    '/study/:namespace/:studyUid/attachment/:id/version/:version/image',
    async (request, reply) => {
      const { caller, access } = await openStudyOfRequest(services, request, ['study_upload'])
      const { record, membership, permissions } = access
      // what it becomes is shown to who may see images: that takes the right to see the file
      if (!permissions.has('study_report_view')) throw new StorageError('ACCESS_DENIED')
      const { id, version } = request.params
      if (!uuidForm.test(id) || !uuidForm.test(version)) {
        throw new StorageError('ATTACHMENT_NOT_FOUND_EXCEPTION', undefined, { study_uid: record.study_uid })
      }
      const seriesKey = seriesKeyOf(record, { id, version: version.toLowerCase() }, isSet(request.query.static_ids))
      const job = jobOfRequest(request as unknown as FastifyRequest, caller, record.phi_namespace)
      const images = await doAsJob(services, job, async () => {
        const made = await wrapAttachment(services, caller, access, { id, version }, { seriesKey })
        if (!made) throw new StorageError('NOT_ACCEPTABLE', 'Only pictures and PDF files become images')
        return made
      })
      return reply.code(202).send(presentWrapped({ kind: 'images', images }, membership.namespaceUuid))
    },
  )
}

type NamedFile = Pick<FileToWrap, 'name' | 'tags' | 'studyUid'> & Pick<WrapWish, 'pdf'>

function wishOf({ render_wrapped_pdf }: WrapQuery): Pick<WrapWish, 'pdf'> {
  return { pdf: isSet(render_wrapped_pdf) ? 'both' : 'held' }
}

async function wrapForm(
  services: Services,
  request: FastifyRequest<WrapRoute>,
  caller: Caller,
  membership: Membership,
): Promise<object> {
  const size = fileSizeOf(request as unknown as FastifyRequest)
  if (size === undefined) throw new StorageError('VALIDATION_ERROR', 'The header X-File-Size is missing')
  if (size > MAX_WRAPPED_BYTES) throw new StorageError('PAYLOAD_TOO_LARGE')
  const form = await readWrapForm(services, request as unknown as FastifyRequest)
  try {
    const { staged, tags = request.query.tags, name } = form
    if (!staged) throw new StorageError('NOT_FOUND', 'The form has no part named file')
    if (staged.length !== size) {
      throw new StorageError('VALIDATION_ERROR', 'The file is not as long as X-File-Size says')
    }
    const { path, length } = staged
    const file = { path, length, name, tags, studyUid: request.query.study_uid }
    return await wrap(services, caller, membership, { ...file, ...wishOf(request.query) })
  } finally {
    await form.staged?.discard()
  }
}

async function completeImage(
  services: Services,
  caller: Caller,
  membership: Membership,
  whole: WholeUpload,
  { studyUid }: NamedFile,
): Promise<object> {
  const arrival: Arrival = {
    namespaceUuid: membership.namespaceUuid,
    accountUuid: membership.accountUuid,
    source: 'upload',
    actor: caller.userUuid,
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

type File = FileToWrap & Pick<WrapWish, 'pdf'>

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

/** The file and the values of a form, in whatever order they come. */
async function readWrapForm(services: Services, request: FastifyRequest) {
  let staged: StagedFile | undefined
  let tags: string | undefined
  let name = ''
  try {
    for await (const part of readForm(request.headers['content-type'], bodyOf(request))) {
      if (part.name === 'tags') tags = await textOfPart(part, MAX_TAGS_BYTES)
      if (part.name !== 'file' || staged) continue
      name = part.filename ?? ''
      staged = await stageFile(services, scanned(services, part.body), MAX_WRAPPED_BYTES)
    }
    return { staged, tags, name }
  } catch (error) {
    await staged?.discard()
    throw error
  }
}

/** @throws StorageError VALIDATION_ERROR when it is no number */
function fileSizeOf(request: FastifyRequest): number | undefined {
  const header = request.headers['x-file-size']
  if (header === undefined) return undefined
  const size = Number(header)
  if (!/^\d{1,15}$/.test(String(header)) || !Number.isSafeInteger(size)) {
    throw new StorageError('VALIDATION_ERROR', 'The header X-File-Size must be a number')
  }
  return size
}
