import type { QueryOf } from '@hilum/contract/route-parameters'
import {
  attachmentAdd,
  attachmentLatest,
  attachmentLatestEnding,
  attachmentLatestNamed,
  attachmentNamed,
  attachmentRemove,
  attachmentVersion,
} from '@hilum/contract/routes/storage-attachments'
import { mayDo } from '@hilum/contract/acts'
import { StorageError } from '@hilum/contract/storage-errors'
import { uuidForm } from '@hilum/contract/wire'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import type { StudyAccess } from '../../access/study-access.ts'
import type { JobKey } from '../../areas/job/job-feed.ts'
import { doAsJob } from '../../areas/job/track-job.command.ts'
import { attachFile } from '../../areas/attachments/attach-file.command.ts'
import { type FoundAttachment, findAttachment, type StoredAttachment } from '../../areas/attachments/attachment.sql.ts'
import { MAX_ATTACHMENT_BYTES, removeAttachment } from '../../areas/attachments/store-attachment.command.ts'
import { presentReceivedImage } from '../../areas/ingest/received-image.presenter.ts'
import { presentAttachment } from '../../areas/attachments/schema.presenter.ts'
import { type ShownType, shownTypeOf, TELLING_BYTES } from '../../areas/pictures/shown-type.ts'
import { seriesKeyOf, wrapAttachment, wrapsByItself } from '../../areas/attachments/wrap-attachment.command.ts'
import { wrapAttachmentLater } from '../../areas/attachments/wrap-attachment.job.ts'
import type { Services } from '../../services.ts'
import { isForFrame, sendForFrame } from './answer-for-frame.ts'
import { jobOfRequest } from './job-of-request.ts'
import { readMultipartForm } from './multipart-form.ts'
import { bodyOf, contentLengthOf } from './request-body.ts'
import { type Opened, route } from '../route.ts'
import { sendParts } from './send-parts.ts'

/** Bytes that a form may add to the file in it. */
const MAX_FORM_OVERHEAD = 1024 * 1024

export function attachmentRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, attachmentAdd, async (opened) => {
    const { request, reply, caller, access } = opened
    const job = jobOfRequest(request, caller, access.record.phi_namespace)
    const answer = await doAsJob(services, job, () => attach(services, opened, job))
    if (isForFrame(request)) return sendForFrame(reply.code(202), answer)
    return reply.code(202).send(answer)
  })

  for (const declared of [attachmentVersion, attachmentNamed]) {
    route(app, services, declared, (opened) => sendAttachment(services, opened, keyOf(opened)))
  }
  for (const declared of [attachmentLatest, attachmentLatestNamed, attachmentLatestEnding]) {
    route(app, services, declared, (opened) => sendAttachment(services, opened, undefined))
  }

  route(app, services, attachmentRemove, async (opened) => {
    const { request, reply, caller, access } = opened
    const key = keyOf(opened)
    const job = jobOfRequest(request, caller, access.record.phi_namespace)
    await doAsJob(services, job, () => removeAttachment(services, caller, access.record, key))
    return reply.code(202).send({ ...key, phi_namespace: access.record.phi_namespace })
  })
}

type OpenedStudy = Opened & { access: StudyAccess }
type OpenedForm = Pick<OpenedStudy, 'request' | 'access'> & {
  caller: Caller
  readonly query: QueryOf<(typeof attachmentAdd)['query']>
}
type Asked = Pick<OpenedForm, 'caller' | 'access'>

/**
 * Attaches the file of a form, and has images made of it where that is asked for. The file stays attached in any case.
 */
async function attach(services: Services, opened: OpenedForm, job: JobKey | undefined) {
  const { request, caller, access, query } = opened
  const { wrap_images, synchronous_wrap, wrap_html_as_pdf, static_ids } = query
  const mayWrap = mayDo('uploadStudy', access)
  const isAsked = wrap_images || synchronous_wrap
  if (isAsked && !mayWrap) throw new StorageError('ACCESS_DENIED')
  if ((contentLengthOf(request) ?? 0) > MAX_ATTACHMENT_BYTES + MAX_FORM_OVERHEAD) {
    throw new StorageError('PAYLOAD_TOO_LARGE')
  }
  const options = { isHtmlToPdf: wrap_html_as_pdf, isStatic: static_ids }
  for await (const part of readMultipartForm(request.headers['content-type'], bodyOf(request))) {
    if (part.name !== 'data') continue
    const file = { name: part.filename ?? '', body: part.body }
    const { attachment, undrawn } = await attachFile(services, caller, access.record, file, options)
    const seriesKey = seriesKeyOf(access.record, attachment, options.isStatic)
    const images = synchronous_wrap ? await wrapNow(services, { caller, access }, attachment, seriesKey) : {}
    // without being asked no more is done than the caller could ask for
    const isLater = !synchronous_wrap && mayWrap && (isAsked || (await wrapsByItself(services, access.membership)))
    if (isLater) {
      await wrapAttachmentLater(services, access.membership, {
        userUuid: caller.userUuid,
        studyUuid: access.record.uuid,
        id: attachment.id,
        version: attachment.version,
        seriesKey,
        ...(job ? { job } : {}),
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
  { request, reply, access: { record } }: Pick<OpenedStudy, 'request' | 'reply' | 'access'>,
  key: { id: string; version: string } | undefined,
): Promise<FastifyReply> {
  const found = await findAttachment(services.db, record.phi_namespace, record.uuid, key)
  if (!found) throw attachmentNotFound(record)
  const { type: contentType, isInline } = await shownTypeOfStored(services, found)
  return sendParts(request, reply, {
    parts: [
      {
        kind: 'stream',
        length: found.length,
        open: (start, count) => services.store.stream(found.object_key, found.byte_offset + start, count),
      },
    ],
    contentType,
    etag: `${found.version}-attachment`,
    filename: found.filename,
    isInline,
  })
}

async function shownTypeOfStored(services: Services, found: FoundAttachment): Promise<ShownType> {
  const length = Math.min(TELLING_BYTES, found.length)
  return shownTypeOf(await services.store.read(found.object_key, found.byte_offset, length))
}

/** @throws StorageError ATTACHMENT_NOT_FOUND_EXCEPTION */
export function keyOf({
  access: { record },
  params: { id, version },
}: Pick<OpenedStudy, 'access'> & { params: { readonly id: string; readonly version: string } }) {
  if (!uuidForm.test(id) || !uuidForm.test(version)) throw attachmentNotFound(record)
  return { id, version }
}

function attachmentNotFound({ study_uid }: Pick<StudyAccess['record'], 'study_uid'>): StorageError {
  return new StorageError('ATTACHMENT_NOT_FOUND_EXCEPTION', undefined, { study_uid })
}
