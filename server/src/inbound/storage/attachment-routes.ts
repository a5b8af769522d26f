import { StorageError } from '@hilum/contract/storage-errors'
import { uuidForm } from '@hilum/contract/wire'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import type { StudyAccess } from '../../access/study-access.ts'
import { recordAccess } from '../../areas/audit/record-access.command.ts'
import type { JobKey } from '../../areas/job/job-feed.ts'
import { doAsJob } from '../../areas/job/track-job.command.ts'
import { attachFile } from '../../areas/storage/attach-file.command.ts'
import { type FoundAttachment, findAttachment, type StoredAttachment } from '../../areas/storage/attachment.sql.ts'
import { MAX_ATTACHMENT_BYTES, removeAttachment } from '../../areas/storage/keep-attachment.command.ts'
import { presentReceivedImage } from '../../areas/storage/received-image.presenter.ts'
import { presentAttachment } from '../../areas/storage/schema.presenter.ts'
import { shownTypeOf, TELLING_BYTES } from '../../areas/storage/shown-type.ts'
import {
  seriesKeyOf,
  wrapAttachment,
  wrapAttachmentLater,
  wrapsByItself,
} from '../../areas/storage/wrap-attachment.command.ts'
import type { Services } from '../../services.ts'
import { isForFrame, sendForFrame } from './answer-for-frame.ts'
import { jobOfRequest } from './job-of-request.ts'
import { readForm } from './multipart-form.ts'
import { isSet } from './query-flag.ts'
import { bodyOf, contentLengthOf } from './request-body.ts'
import { sendParts } from './send-parts.ts'
import { openStudyOfRequest, type StudyRoute } from './study-routes.ts'

type AttachmentRoute = {
  Params: StudyRoute['Params'] & { id: string; version: string }
  Querystring: StudyRoute['Querystring'] & {
    wrap_images?: string
    synchronous_wrap?: string
    wrap_html_as_pdf?: string
    static_ids?: string
  }
}

const ATTACHMENT = '/study/:namespace/:studyUid/attachment'
const VERSION = `${ATTACHMENT}/:id/version/:version`
/** What a form adds to the file in it. */
const MAX_FORM_OVERHEAD = 1024 * 1024

export function attachmentRoutes(app: FastifyInstance, services: Services): void {
  app.post<AttachmentRoute>(ATTACHMENT, async (request, reply) => {
    const { caller, access } = await openStudyOfRequest(services, request, ['study_report_upload'])
    const job = jobOfRequest(request as unknown as FastifyRequest, caller, access.record.phi_namespace)
    const answer = await doAsJob(services, job, () => attach(services, request, { caller, access, job }))
    if (isForFrame(request as unknown as FastifyRequest)) return sendForFrame(reply.code(202), answer)
    return reply.code(202).send(answer)
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
    const job = jobOfRequest(request as unknown as FastifyRequest, caller, access.record.phi_namespace)
    await doAsJob(services, job, () => removeAttachment(services, caller, access.record, key))
    return reply.code(202).send({ ...key, phi_namespace: access.record.phi_namespace })
  })
}

type Asked = { caller: Caller; access: StudyAccess; job: JobKey | undefined }

/** Attaches the file of a form, and has images made of it where that is asked for. It stays attached in any case. */
async function attach(services: Services, request: FastifyRequest<AttachmentRoute>, asked: Asked) {
  const { caller, access } = asked
  const { wrap_images, synchronous_wrap, wrap_html_as_pdf, static_ids } = request.query
  const mayWrap = access.permissions.has('study_upload')
  const isAsked = isSet(wrap_images) || isSet(synchronous_wrap)
  if (isAsked && !mayWrap) throw new StorageError('ACCESS_DENIED')
  if ((contentLengthOf(request) ?? 0) > MAX_ATTACHMENT_BYTES + MAX_FORM_OVERHEAD) {
    throw new StorageError('PAYLOAD_TOO_LARGE')
  }
  const wish = { isHtmlToPdf: isSet(wrap_html_as_pdf), isStatic: isSet(static_ids) }
  for await (const part of readForm(request.headers['content-type'], bodyOf(request))) {
    if (part.name !== 'data') continue
    const file = { name: part.filename ?? '', body: part.body }
    const { attachment, undrawn } = await attachFile(services, caller, access.record, file, wish)
    const seriesKey = seriesKeyOf(access.record, attachment, wish.isStatic)
    const images = isSet(synchronous_wrap) ? await wrapNow(services, asked, attachment, seriesKey) : {}
    // without being asked no more is done than the caller could ask for
    const isLater =
      !isSet(synchronous_wrap) && mayWrap && (isAsked || (await wrapsByItself(services, access.membership)))
    if (isLater) {
      await wrapAttachmentLater(services, {
        userUuid: caller.userUuid,
        studyUuid: access.record.uuid,
        id: attachment.id,
        version: attachment.version,
        seriesKey,
        ...(asked.job ? { job: asked.job } : {}),
      })
    }
    return {
      ...presentAttachment(attachment),
      phi_namespace: access.record.phi_namespace,
      ...(undrawn ? { undrawn: undrawn.characters, original: presentAttachment(undrawn.original) } : {}),
      ...images,
    }
  }
  throw new StorageError('BAD_REQUEST', 'The form has no part named data')
}

async function wrapNow(
  services: Services,
  { caller, access }: Asked,
  attachment: StoredAttachment,
  seriesKey: string,
): Promise<object> {
  try {
    const images = await wrapAttachment(services, caller, access, attachment, { seriesKey })
    if (!images) return {}
    return { images: images.map((one) => presentReceivedImage(one, access.membership.namespaceUuid)) }
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

function keyOf(request: FastifyRequest<AttachmentRoute>): { id: string; version: string } {
  const { id, version } = request.params
  if (!uuidForm.test(id) || !uuidForm.test(version)) throw attachmentNotFound(request)
  return { id, version }
}

function attachmentNotFound(request: FastifyRequest<AttachmentRoute>): StorageError {
  return new StorageError('ATTACHMENT_NOT_FOUND_EXCEPTION', undefined, { study_uid: request.params.studyUid })
}
