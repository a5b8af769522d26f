import { mayDo } from '@hilum/contract/acts'
import { studyCounts, studySchema } from '@hilum/contract/routes/storage-studies'
import type { FastifyInstance } from 'fastify'
import type { StudyAccess } from '../../access/study-access.ts'
import { listAttachments, type StoredAttachment } from '../../areas/attachments/attachment.sql.ts'
import { listImages, listSeries } from '../../areas/storage/record-images.sql.ts'
import { presentSchema } from '../../areas/attachments/schema.presenter.ts'
import type { Services } from '../../services.ts'
import { route } from '../route.ts'

export function studyRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, studySchema, async ({ reply, access, params, query }) => {
    const { record } = access
    const isWithoutImages = query.attachments_only
    const [series, instances, attachments] = await Promise.all([
      isWithoutImages ? [] : listSeries(services.db, record),
      isWithoutImages ? [] : listImages(services.db, record),
      attachmentsSeen(services, access),
    ])
    const isExtended = query.extended
    return reply.send(presentSchema(record, params.namespace, series, instances, attachments, isExtended))
  })

  route(app, services, studyCounts, async ({ reply, access, query }) => {
    const { record } = access
    const [series, attachments] = await Promise.all([
      listSeries(services.db, record),
      attachmentsSeen(services, access),
    ])
    const images = series.reduce((sum, one) => sum + one.image_count, 0)
    return reply.send({
      ...(query.attachments_only ? {} : { image_count: images, series_count: series.length }),
      ...(query.images_only ? {} : { attachment_count: attachments.length }),
    })
  })
}

/** The files attached to a record, for who may see them; a file's name tells as much as its pages. */
async function attachmentsSeen({ db }: Services, access: StudyAccess): Promise<StoredAttachment[]> {
  if (!mayDo('seeAttachments', access)) return []
  return listAttachments(db, access.record.phi_namespace, access.record.uuid)
}
