import type { FastifyInstance } from 'fastify'
import { authorise, openNamespace } from '../../access/storage-access.ts'
import { receiveImage, UPLOAD_QUIET_SECONDS } from '../../areas/storage/receive-image.command.ts'
import { presentReceivedImage } from '../../areas/storage/received-image.presenter.ts'
import type { Services } from '../../services.ts'
import { bodyOf, contentLengthOf } from './request-body.ts'

type ImageUpload = { Params: { namespace: string }; Querystring: { study_uid?: string } }

export function uploadRoutes(app: FastifyInstance, services: Services): void {
  app.post<ImageUpload>('/namespace/:namespace/image', async (request, reply) => {
    const caller = await authorise(services, request)
    const namespace = await openNamespace(caller, request.params.namespace, ['study_upload'])
    const { study_uid: expectedStudyUid } = request.query
    const contentLength = contentLengthOf(request)
    const received = await receiveImage(
      services,
      {
        namespaceUuid: namespace.namespaceUuid,
        accountUuid: namespace.accountUuid,
        source: 'upload',
        actor: caller.userUuid,
        quietSeconds: UPLOAD_QUIET_SECONDS,
        ownsBody: true,
        ...(expectedStudyUid ? { expectedStudyUid } : {}),
        ...(contentLength === undefined ? {} : { contentLength }),
      },
      bodyOf(request),
    )
    return reply.code(202).send(presentReceivedImage(received, namespace.namespaceUuid))
  })
}
