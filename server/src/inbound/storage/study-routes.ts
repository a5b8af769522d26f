import type { FastifyInstance, FastifyRequest } from 'fastify'
import { recordAccess } from '../../areas/audit/record-access.command.ts'
import { authorise, openStudy } from '../../access/storage-access.ts'
import { listAttachments } from '../../areas/storage/attachment.sql.ts'
import { listInstances, listSeries } from '../../areas/storage/instance.sql.ts'
import { presentSchema } from '../../areas/storage/schema.presenter.ts'
import type { Services } from '../../services.ts'
import { isSet } from './query-flag.ts'

export type StudyRoute = {
  Params: { namespace: string; studyUid: string }
  Querystring: {
    phi_namespace?: string
    extended?: string
    attachments_only?: string
    images_only?: string
    count_files?: string
  }
}

export function studyRoutes(app: FastifyInstance, services: Services): void {
  app.get<StudyRoute>('/study/:namespace/:studyUid/schema', async (request, reply) => {
    const { caller, access } = await openStudyOfRequest(services, request)
    const { namespace, studyUid } = request.params
    const isWithoutImages = isSet(request.query.attachments_only)
    const [series, instances, attachments] = await Promise.all([
      isWithoutImages ? [] : listSeries(services.db, namespace, studyUid),
      isWithoutImages ? [] : listInstances(services.db, namespace, studyUid),
      listAttachments(services.db, access.record.phi_namespace, access.record.uuid),
    ])
    await recordAccess(services.db, caller, access, 'STUDY_VIEW')
    const isExtended = isSet(request.query.extended)
    return reply
      .header('cache-control', 'private, no-cache')
      .send(presentSchema(access.record, namespace, series, instances, attachments, isExtended))
  })

  app.get<StudyRoute>('/study/:namespace/:studyUid/count', async (request, reply) => {
    const { access } = await openStudyOfRequest(services, request)
    const { namespace, studyUid } = request.params
    const { images_only, attachments_only } = request.query
    const [series, attachments] = await Promise.all([
      listSeries(services.db, namespace, studyUid),
      listAttachments(services.db, access.record.phi_namespace, access.record.uuid),
    ])
    const images = series.reduce((sum, one) => sum + one.image_count, 0)
    return reply.send({
      ...(isSet(attachments_only) ? {} : { image_count: images, series_count: series.length }),
      ...(isSet(images_only) ? {} : { attachment_count: attachments.length }),
    })
  })
}

/** The caller, and the study of the address as the caller may see it. */
export async function openStudyOfRequest<Route extends StudyRoute>(
  services: Services,
  request: FastifyRequest<Route>,
  needs?: Parameters<typeof openStudy>[3],
) {
  const caller = await authorise(services, request as unknown as FastifyRequest)
  const { namespace, studyUid } = request.params as StudyRoute['Params']
  const { phi_namespace: phiNamespace } = request.query as StudyRoute['Querystring']
  const access = await openStudy(services, caller, { storageNamespace: namespace, studyUid, phiNamespace }, needs)
  return { caller, access }
}
