import { StorageError } from '@hilum/contract/storage-errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import type { StudyAccess } from '../../access/study-access.ts'
import { recordAccess } from '../../areas/audit/record-access.command.ts'
import { type FoundAttachment, findAttachment, type StoredAttachment } from '../../areas/storage/attachment.sql.ts'
import { keepAttachment, MAX_ATTACHMENT_BYTES, removeAttachment } from '../../areas/storage/keep-attachment.command.ts'
import { presentReceivedImage } from '../../areas/storage/received-image.presenter.ts'
import { presentAttachment } from '../../areas/storage/schema.presenter.ts'
import { shownTypeOf, TELLING_BYTES } from '../../areas/storage/shown-type.ts'
import { wrapFile } from '../../areas/storage/wrap-file.command.ts'
import type { Services } from '../../services.ts'
import { readForm } from './multipart-form.ts'
import { isSet } from './query-flag.ts'
import { bodyOf, contentLengthOf } from './request-body.ts'
import { sendParts } from './send-parts.ts'
import { openStudyOfRequest, type StudyRoute } from './study-routes.ts'

type AttachmentRoute = {
  Params: StudyRoute['Params'] & { id: string; version: string }
  Querystring: StudyRoute['Querystring'] & { wrap_images?: string; synchronous_wrap?: string }
}

const ATTACHMENT = '/study/:namespace/:studyUid/attachment'
const VERSION = `${ATTACHMENT}/:id/version/:version`
/** What a form adds to the file in it. */
const MAX_FORM_OVERHEAD = 1024 * 1024

export function attachmentRoutes(app: FastifyInstance, services: Services): void {
  app.post<AttachmentRoute>(ATTACHMENT, async (request, reply) => {
    const { caller, access } = await openStudyOfRequest(services, request, ['study_report_upload'])
    const isWrapped = isSet(request.query.wrap_images) || isSet(request.query.synchronous_wrap)
    if (isWrapped && !access.permissions.has('study_upload')) throw new StorageError('ACCESS_DENIED')
    if ((contentLengthOf(request) ?? 0) > MAX_ATTACHMENT_BYTES + MAX_FORM_OVERHEAD) {
      throw new StorageError('PAYLOAD_TOO_LARGE')
    }
    for await (const part of readForm(request.headers['content-type'], bodyOf(request))) {
      if (part.name !== 'data') continue
      const kept = await keepAttachment(services, caller, access.record, {
        name: part.filename ?? '',
        body: part.body,
      })
      const wrapped = isWrapped ? await wrapKept(services, caller, access, kept) : {}
      return reply
        .code(202)
        .send({ ...presentAttachment(kept), phi_namespace: access.record.phi_namespace, ...wrapped })
    }
    throw new StorageError('BAD_REQUEST', 'The form has no part named data')
  })

  for (const url of [VERSION, `${VERSION}/:filename`]) {
    app.route<AttachmentRoute>({
      method: ['GET', 'HEAD'],
      url,
      handler: (request, reply) => sendAttachment(services, request, reply, keyOf(request)),
    })
  }
  for (const url of [`${ATTACHMENT}/latest`, `${ATTACHMENT}/latest/:filename`, `${ATTACHMENT}/latest.:ending`]) {
    app.route<AttachmentRoute>({
      method: ['GET', 'HEAD'],
      url,
      handler: (request, reply) => sendAttachment(services, request, reply, undefined),
    })
  }

  app.delete<AttachmentRoute>(VERSION, async (request, reply) => {
    const { caller, access } = await openStudyOfRequest(services, request, ['study_report_delete'])
    const key = keyOf(request)
    await removeAttachment(services, caller, access.record, key)
    return reply.code(202).send({ ...key, phi_namespace: access.record.phi_namespace })
  })
}

/** Makes an image of the study of what was just attached, where it is a picture or a PDF. It stays attached in any case. */
async function wrapKept(services: Services, caller: Caller, access: StudyAccess, kept: StoredAttachment) {
  const { record, membership } = access
  const found = await findAttachment(services.db, record.phi_namespace, record.uuid, kept)
  if (!found) return {}
  try {
    const wrapped = await wrapFile(services, caller, membership, {
      path: services.store.path(found.object_key),
      length: found.length,
      name: found.filename,
      tags: undefined,
      studyUid: record.study_uid,
    })
    if (wrapped.kind === 'attachment') return {}
    return { images: wrapped.images.map((one) => presentReceivedImage(one, membership.namespaceUuid)) }
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    return { wrap_error: error.message }
  }
}

async function sendAttachment(
  services: Services,
  request: FastifyRequest<AttachmentRoute>,
  reply: FastifyReply,
  key: { id: string; version: string } | undefined,
): Promise<FastifyReply> {
  const { caller, access } = await openStudyOfRequest(services, request, ['study_report_view'])
  const { record } = access
  const found = await findAttachment(services.db, record.phi_namespace, record.uuid, key)
  if (!found) throw attachmentNotFound(request)
  await recordAccess(services.db, caller, access, 'REPORT_VIEW')
  const shownType = await shownTypeOfStored(services, found)
  return sendParts(request, reply, {
    parts: [
      {
        kind: 'stream',
        length: found.length,
        open: (start, count) => services.store.stream(found.object_key, found.byte_offset + start, count),
      },
    ],
    contentType: shownType ?? 'application/octet-stream',
    etag: `${found.version}-attachment`,
    filename: found.filename,
    isInline: shownType !== undefined,
  })
}

async function shownTypeOfStored(services: Services, found: FoundAttachment): Promise<string | undefined> {
  const length = Math.min(TELLING_BYTES, found.length)
  return shownTypeOf(await services.store.read(found.object_key, found.byte_offset, length))
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function keyOf(request: FastifyRequest<AttachmentRoute>): { id: string; version: string } {
  const { id, version } = request.params
  if (!uuidForm.test(id) || !uuidForm.test(version)) throw attachmentNotFound(request)
  return { id, version }
}

function attachmentNotFound(request: FastifyRequest<AttachmentRoute>): StorageError {
  return new StorageError('ATTACHMENT_NOT_FOUND_EXCEPTION', undefined, { study_uid: request.params.studyUid })
}
