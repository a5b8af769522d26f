import { StorageError } from '@hilum/contract/storage-errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller, Membership } from '../../access/caller.ts'
import { authorise, openNamespace } from '../../access/storage-access.ts'
import { findAttachment } from '../../areas/storage/attachment.sql.ts'
import { receiveImage, UPLOAD_QUIET_SECONDS } from '../../areas/storage/receive-image.command.ts'
import { presentReceivedImage } from '../../areas/storage/received-image.presenter.ts'
import { scanned } from '../../areas/storage/scan-body.ts'
import { presentAttachment } from '../../areas/storage/schema.presenter.ts'
import { beginUpload, keepPart, openWhole, type StagedFile, stageFile } from '../../areas/storage/upload-parts.ts'
import { type FileToWrap, MAX_WRAPPED_BYTES, type Wrapped, wrapFile } from '../../areas/storage/wrap-file.command.ts'
import type { Services } from '../../services.ts'
import { readForm, textOfPart } from './multipart-form.ts'
import { bodyOf } from './request-body.ts'
import { openStudyOfRequest, type StudyRoute } from './study-routes.ts'

type WrapRoute = { Params: { namespace: string }; Querystring: { study_uid?: string; tags?: string } }
type PartRoute = { Params: { upload: string } }
type CompleteRoute = {
  Params: { upload: string }
  Querystring: { namespace?: string; endpoint?: string; study_uid?: string; tags?: string }
}
type ToImageRoute = {
  Params: StudyRoute['Params'] & { id: string; version: string }
  Querystring: StudyRoute['Querystring']
}

const MAX_TAGS_BYTES = 1024 * 1024

/** Files that are no DICOM, and large files in chunks. */
export function wrapRoutes(app: FastifyInstance, services: Services): void {
  app.post<WrapRoute>('/namespace/:namespace/wrap', async (request, reply) => {
    const caller = await authorise(services, request)
    const membership = await openNamespace(caller, request.params.namespace, ['study_upload'])
    const size = fileSizeOf(request)
    if (size === undefined) throw new StorageError('VALIDATION_ERROR', 'The header X-File-Size is missing')
    if (size > MAX_WRAPPED_BYTES) throw new StorageError('PAYLOAD_TOO_LARGE')
    const form = await readWrapForm(services, request)
    try {
      const { staged, tags = request.query.tags, name } = form
      if (!staged) throw new StorageError('NOT_FOUND', 'The form has no part named file')
      if (staged.length !== size) {
        throw new StorageError('VALIDATION_ERROR', 'The file is not as long as X-File-Size says')
      }
      const { path, length } = staged
      const file = { path, length, name, tags, studyUid: request.query.study_uid }
      return await reply.code(202).send(await wrap(services, caller, membership, file))
    } finally {
      await form.staged?.discard()
    }
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
    const whole = await openWhole(services, upload, fileSizeOf(request))
    if (endpoint === 'image') {
      const received = await receiveImage(
        services,
        {
          namespaceUuid: membership.namespaceUuid,
          accountUuid: membership.accountUuid,
          source: 'upload',
          actor: caller.userUuid,
          quietSeconds: UPLOAD_QUIET_SECONDS,
          contentLength: whole.length,
          ...(studyUid ? { expectedStudyUid: studyUid } : {}),
        },
        whole.body(),
      )
      await whole.discard()
      return reply.code(202).send(presentReceivedImage(received, membership.namespaceUuid))
    }
    const staged = await stageFile(services, scanned(services, whole.body()), MAX_WRAPPED_BYTES)
    try {
      const name = String(request.headers['x-file-name'] ?? '')
      const { path, length } = staged
      const answer = await wrap(services, caller, membership, { path, length, name, tags, studyUid })
      await whole.discard()
      return await reply.code(202).send(answer)
    } finally {
      await staged.discard()
    }
  })

  app.post<ToImageRoute>(
    '/study/:namespace/:studyUid/attachment/:id/version/:version/image',
    async (request, reply) => {
      const { caller, access } = await openStudyOfRequest(services, request, ['study_upload'])
      const { record, membership, permissions } = access
      // what it becomes is shown to who may see images: that takes the right to see the file
      if (!permissions.has('study_report_view')) throw new StorageError('ACCESS_DENIED')
      const { id, version } = request.params
      const found =
        /^[0-9a-f-]{36}$/i.test(id) && /^[0-9a-f-]{36}$/i.test(version)
          ? await findAttachment(services.db, record.phi_namespace, record.uuid, { id, version })
          : undefined
      if (!found) throw new StorageError('ATTACHMENT_NOT_FOUND_EXCEPTION', undefined, { study_uid: record.study_uid })
      const answer = await wrap(services, caller, membership, {
        path: services.store.path(found.object_key),
        length: found.length,
        name: found.filename,
        tags: undefined,
        studyUid: record.study_uid,
      })
      return reply.code(202).send(answer)
    },
  )
}

async function wrap(services: Services, caller: Caller, membership: Membership, file: FileToWrap) {
  return presentWrapped(await wrapFile(services, caller, membership, file), membership.namespaceUuid)
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
