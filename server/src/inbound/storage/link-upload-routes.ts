import { uploadImageByLink, wrapByLink } from '@hilum/contract/routes/storage-uploads'
import { maxTogetherByLink } from '@hilum/contract/limits'
import { StorageError } from '@hilum/contract/storage-errors'
import type { FastifyInstance } from 'fastify'
import { makeImages } from '../../areas/attachments/wrap-file.command.ts'
import { receiveImage, UPLOAD_QUIET_SECONDS } from '../../areas/ingest/receive-image.command.ts'
import { storeTogether } from '../../areas/link/store-together.command.ts'
import { demandOpen, storeWithin } from '../../areas/link/store-within.command.ts'
import { noteArrived } from '../../areas/link/tell-use.command.ts'
import { findUploadRules } from '../../areas/namespace/upload-rules.command.ts'
import type { Services } from '../../services.ts'
import { readMediaRange } from '../dicomweb/accept.ts'
import { MultipartError, readMultipart } from '../read-multipart.ts'
import { requestRoute } from '../route.ts'
import { bodyOf, contentLengthOf } from './request-body.ts'
import { withWrapForm } from './wrap-form.ts'

const maxBoundaryChars = 256

/** The doors that the session of a request opens; they are cut when the request ends. */
export function linkUploadRoutes(app: FastifyInstance, services: Services): void {
  requestRoute(app, services, uploadImageByLink, async ({ request, reply, asked, studyUid, announced }) => {
    const contentLength = contentLengthOf(request)
    const arrival = {
      namespaceUuid: asked.namespace_uuid,
      accountUuid: asked.account_uuid,
      source: 'upload',
      actor: asked.link_uuid,
      quietSeconds: UPLOAD_QUIET_SECONDS,
      ownsBody: true,
      expectedStudyUid: studyUid,
    } as const
    const sent = { length: contentLength, body: bodyOf(request) }
    const { media, boundary } = readMediaRange(request.headers['content-type'] ?? '')
    if (media === 'multipart/related') {
      const stored = await storeTogether(services, asked, arrival, sent, (body) => fewParts(body, boundary))
      const isNew = stored.some(({ outcome }) => outcome !== 'duplicate')
      await noteArrived(services, asked, studyUid, announced, isNew)
      const images = stored.map(({ sopUid }) => ({ image_uid: sopUid, outcome: 'stored' }))
      return reply.code(202).send({ study_uid: studyUid, ...images[0], images })
    }
    const received = await storeWithin(services, asked, sent, (body) =>
      receiveImage(services, { ...arrival, ...(contentLength === undefined ? {} : { contentLength }) }, body),
    )
    await noteArrived(services, asked, studyUid, announced, received.outcome !== 'duplicate')
    // whether the image was there before, and beside which others it lies, is the group's own business
    return reply
      .code(202)
      .send({ study_uid: received.facts.studyUid, image_uid: received.facts.sopUid, outcome: 'stored' })
  })

  requestRoute(app, services, wrapByLink, async ({ request, reply, asked, studyUid, announced }) => {
    if (!(await findUploadRules(services.db, asked)).takesFiles) {
      throw new StorageError('ACCESS_DENIED', 'This place takes DICOM files alone')
    }
    const images = await withWrapForm(services, request, ({ staged: { path, length }, tags, name }) =>
      makeImages(
        services,
        { userUuid: asked.link_uuid },
        { namespaceUuid: asked.namespace_uuid, accountUuid: asked.account_uuid },
        { path, length, name, tags, studyUid },
        // pages made before one failed stay, and the person is told of them
        {
          isForeign: true,
          storeObject: async (object, store) => {
            await demandOpen(services, asked)
            return storeWithin(services, asked, object, store)
          },
          tellProgress: () => noteArrived(services, asked, studyUid, announced, true),
        },
      ),
    )
    const made = (images ?? []).map(({ facts, sha256 }) => ({ image_uid: facts.sopUid, sha256, outcome: 'stored' }))
    return reply.code(202).send({ study_uid: studyUid, images: made })
  })
}

/** The files of a body; those before one that cannot be read stand. @throws StorageError BAD_REQUEST, PAYLOAD_TOO_LARGE */
async function* fewParts(body: AsyncIterable<Uint8Array>, boundary: string | undefined) {
  if (!boundary || boundary.length > maxBoundaryChars)
    throw new StorageError('BAD_REQUEST', 'The Content-Type names no usable boundary')
  let count = 0
  try {
    for await (const part of readMultipart(body, boundary)) {
      count += 1
      if (count > maxTogetherByLink)
        throw new StorageError('PAYLOAD_TOO_LARGE', `At most ${maxTogetherByLink} files are taken at once`)
      yield part
    }
  } catch (error) {
    if (!(error instanceof MultipartError)) throw error
    throw new StorageError('BAD_REQUEST', error.message, {}, { cause: error })
  }
}
