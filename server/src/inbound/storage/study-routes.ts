import { studyCounts, studySchema } from '@hilum/contract/routes/storage-studies'
import type { FastifyInstance } from 'fastify'
import { listAttachments } from '../../areas/attachments/attachment.sql.ts'
import { listImages, listSeries } from '../../areas/storage/record-images.sql.ts'
import { presentSchema } from '../../areas/attachments/schema.presenter.ts'
import type { Services } from '../../services.ts'
import { route } from '../route.ts'

export function studyRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, studySchema, async ({ reply, access: { record }, params, query }) => {
    const isWithoutImages = query.attachments_only
    const [series, instances, attachments] = await Promise.all([
      isWithoutImages ? [] : listSeries(services.db, record),
      isWithoutImages ? [] : listImages(services.db, record),
      listAttachments(services.db, record.phi_namespace, record.uuid),
    ])
    const isExtended = query.extended
    return reply.send(presentSchema(record, params.namespace, series, instances, attachments, isExtended))
  })

  route(app, services, studyCounts, async ({ reply, access: { record }, query }) => {
    const [series, attachments] = await Promise.all([
      listSeries(services.db, record),
      listAttachments(services.db, record.phi_namespace, record.uuid),
    ])
    const images = series.reduce((sum, one) => sum + one.image_count, 0)
    return reply.send({
      ...(query.attachments_only ? {} : { image_count: images, series_count: series.length }),
      ...(query.images_only ? {} : { attachment_count: attachments.length }),
    })
  })
}
