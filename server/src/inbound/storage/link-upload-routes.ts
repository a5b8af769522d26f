import { uploadImageByLink } from '@hilum/contract/routes/storage-uploads'
import { readQuery } from '@hilum/contract/route-parameters'
import { StorageError } from '@hilum/contract/storage-errors'
import type { FastifyInstance } from 'fastify'
import { openDoor } from '../../access/door-of-request.ts'
import { sidOfRequest } from '../../access/sid-of-request.ts'
import { receiveImage, UPLOAD_QUIET_SECONDS } from '../../areas/ingest/receive-image.command.ts'
import { findAnnounced } from '../../areas/link/link-upload.sql.ts'
import { noteArrived } from '../../areas/link/tell-use.command.ts'
import { findUploader } from '../../areas/link/uploader.command.ts'
import type { Services } from '../../services.ts'
import { openRoute } from '../route.ts'
import { bodyOf, contentLengthOf } from './request-body.ts'

/** The one door that the session of a request opens; it is cut when the request ends. */
export function linkUploadRoutes(app: FastifyInstance, services: Services): void {
  openRoute(app, uploadImageByLink, async (request, reply) => {
    const uploader = await findUploader(services, sidOfRequest(request, { cookieToo: false }), request.ip)
    if (!uploader) throw new StorageError('ACCESS_DENIED')
    openDoor(services.access, request, uploader.asker)
    const read = readQuery(uploadImageByLink.query, request.query as Record<string, unknown>)
    if ('refusal' in read) throw new StorageError('BAD_REQUEST', read.refusal)
    const { study_uid: studyUid = '' } = read.values
    const { request: asked } = uploader
    const announced = await findAnnounced(services.db, asked.link_uuid, studyUid)
    if (announced === undefined) throw new StorageError('BAD_REQUEST', 'The study was not announced')
    const contentLength = contentLengthOf(request)
    const received = await receiveImage(
      services,
      {
        namespaceUuid: asked.namespace_uuid,
        accountUuid: asked.account_uuid,
        source: 'upload',
        actor: asked.link_uuid,
        quietSeconds: UPLOAD_QUIET_SECONDS,
        ownsBody: true,
        expectedStudyUid: studyUid,
        ...(contentLength === undefined ? {} : { contentLength }),
      },
      bodyOf(request),
    )
    await noteArrived(services, asked, studyUid, announced)
    // whether the image was there before, and beside which others it lies, is the group's own business
    return reply
      .code(202)
      .send({ study_uid: received.facts.studyUid, image_uid: received.facts.sopUid, outcome: 'stored' })
  })
}
