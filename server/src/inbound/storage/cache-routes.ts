import { studyRedraw } from '@hilum/contract/routes/storage-acts'
import type { FastifyInstance } from 'fastify'
import { forgetMetadata } from '../../areas/storage/metadata-place.ts'
import { forgetPictures } from '../../areas/pictures/draw-frame.command.ts'
import { listImages } from '../../areas/storage/record-images.sql.ts'
import type { Services } from '../../services.ts'
import { route } from '../route.ts'

/** Forgets what was drawn and written down ahead for a study; it is made again on demand. */
export function cacheRoutes(app: FastifyInstance, services: Services): void {
  route(app, services, studyRedraw, async ({ reply, access, params: { namespace, studyUid } }) => {
    for (const instance of await listImages(services.db, access.record, { isWithConflicts: true })) {
      await forgetPictures(services, instance)
    }
    await forgetMetadata(services, access.record)
    return reply.code(202).send({ namespace, study_uid: studyUid })
  })
}
