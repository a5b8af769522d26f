import { uploadImageByLink, wrapByLink } from '@hilum/contract/routes/storage-uploads'
import { StorageError } from '@hilum/contract/storage-errors'
import type { FastifyInstance } from 'fastify'
import { makeImages } from '../../areas/attachments/wrap-file.command.ts'
import { receiveImage, UPLOAD_QUIET_SECONDS } from '../../areas/ingest/receive-image.command.ts'
import { demandOpen, storeWithin } from '../../areas/link/store-within.command.ts'
import { noteArrived } from '../../areas/link/tell-use.command.ts'
import { findUploadRules } from '../../areas/namespace/upload-rules.command.ts'
import type { Services } from '../../services.ts'
import { requestRoute } from '../route.ts'
import { bodyOf, contentLengthOf } from './request-body.ts'
import { withWrapForm } from './wrap-form.ts'

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
      ...(contentLength === undefined ? {} : { contentLength }),
    } as const
    const sent = { length: contentLength, body: bodyOf(request) }
    const received = await storeWithin(services, asked, sent, (body) => receiveImage(services, arrival, body))
    await noteArrived(services, asked, studyUid, announced)
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
          tellProgress: () => noteArrived(services, asked, studyUid, announced),
        },
      ),
    )
    const made = (images ?? []).map(({ facts, sha256 }) => ({ image_uid: facts.sopUid, sha256, outcome: 'stored' }))
    return reply.code(202).send({ study_uid: studyUid, images: made })
  })
}
