import type { FastifyInstance } from 'fastify'
import { authorise, openNamespace } from '../../access/storage-access.ts'
import { type Arrival, receiveImage, UPLOAD_QUIET_SECONDS } from '../../areas/storage/receive-image.command.ts'
import { presentReceivedImage } from '../../areas/storage/received-image.presenter.ts'
import { doAsJob } from '../../areas/job/track-job.command.ts'
import type { Services } from '../../services.ts'
import { jobOfRequest } from './job-of-request.ts'
import { bodyOf, contentLengthOf } from './request-body.ts'

type ImageUpload = { Params: { namespace: string }; Querystring: { study_uid?: string } }

export function uploadRoutes(app: FastifyInstance, services: Services): void {
  app.post<ImageUpload>('/namespace/:namespace/image', async (request, reply) => {
    const caller = await authorise(services, request)
    const namespace = await openNamespace(caller, request.params.namespace, ['study_upload'])
    const { study_uid: expectedStudyUid } = request.query
    const contentLength = contentLengthOf(request)
    const arrival: Arrival = {
      namespaceUuid: namespace.namespaceUuid,
      accountUuid: namespace.accountUuid,
      source: 'upload',
      actor: caller.userUuid,
      quietSeconds: UPLOAD_QUIET_SECONDS,
      ownsBody: true,
      ...(expectedStudyUid ? { expectedStudyUid } : {}),
      ...(contentLength === undefined ? {} : { contentLength }),
    }
    const job = jobOfRequest(request, caller, namespace.namespaceUuid)
    const received = await doAsJob(services, job, () => receiveImage(services, arrival, bodyOf(request)))
    return reply.code(202).send(presentReceivedImage(received, namespace.namespaceUuid))
  })
}
