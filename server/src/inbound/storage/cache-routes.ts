import type { FastifyInstance } from 'fastify'
import { forgetMetadata } from '../../areas/dicomweb/metadata-place.ts'
import { forgetPictures } from '../../areas/storage/draw-frame.command.ts'
import { listInstances } from '../../areas/storage/instance.sql.ts'
import type { Services } from '../../services.ts'
import { openStudyOfRequest, type StudyRoute } from './study-routes.ts'

/** Forgets what was drawn and written down ahead for a study; it is made again on demand. */
export function cacheRoutes(app: FastifyInstance, services: Services): void {
  app.delete<StudyRoute>('/study/:namespace/:studyUid/cache', async (request, reply) => {
    const { access } = await openStudyOfRequest(services, request, ['study_edit', 'study_upload'])
    const { namespace, studyUid } = request.params
    for (const instance of await listInstances(services.db, namespace, studyUid, { isWithConflicts: true })) {
      await forgetPictures(services, instance)
    }
    await forgetMetadata(services, access.record)
    return reply.code(202).send({ namespace, study_uid: studyUid })
  })
}
