import { uploadImage } from '@hilum/contract/routes/storage-uploads'
import type { FastifyInstance } from 'fastify'
import { type ImageArrival, receiveImage, UPLOAD_QUIET_SECONDS } from '../../areas/ingest/receive-image.command.ts'
import { presentReceivedImage } from '../../areas/ingest/received-image.presenter.ts'
import { doAsJob } from '../../areas/job/track-job.command.ts'
import type { Services } from '../../services.ts'
import { jobOfRequest } from './job-of-request.ts'
import { bodyOf, contentLengthOf } from './request-body.ts'
import { route } from '../route.ts'

export function uploadRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, uploadImage, async ({ request, reply, caller, place: namespace, query }) => {
    const { study_uid: expectedStudyUid } = query
    const contentLength = contentLengthOf(request)
    const arrival: ImageArrival = {
      namespaceUuid: namespace.namespaceUuid,
      accountUuid: namespace.accountUuid,
      source: 'upload',
      actor: caller.userUuid,
      isByKey: caller.kind === 'key',
      quietSeconds: UPLOAD_QUIET_SECONDS,
      ownsBody: true,
      ...(expectedStudyUid ? { expectedStudyUid } : {}),
      ...(contentLength === undefined ? {} : { contentLength }),
    }
    const job = jobOfRequest(request, caller, namespace.namespaceUuid)
    const received = await doAsJob(services, job, () => receiveImage(services, arrival, bodyOf(request)))
    return reply.code(202).send(presentReceivedImage(received, namespace.namespaceUuid, received.elsewhere))
  })
}
