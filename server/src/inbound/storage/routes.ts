import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services.ts'
import { answerStorageFailures } from './answer-failures.ts'
import { attachmentRoutes } from './attachment-routes.ts'
import { downloadRoutes } from './download-routes.ts'
import { imageRoutes } from './image-routes.ts'
import { studyRoutes } from './study-routes.ts'
import { uploadRoutes } from './upload-routes.ts'

export const STORAGE_BASE = '/api/v3/storage'

/** The storage API under `/api/v3/storage`. Register in a scope of its own: it replaces the body parsers. */
export async function storageRoutes(app: FastifyInstance, services: Services): Promise<void> {
  app.removeAllContentTypeParsers()
  // Bodies are handed on as streams, whatever type they claim; nothing is read before the caller is known.
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  answerStorageFailures(app)
  await app.register(
    async (scope) => {
      uploadRoutes(scope, services)
      studyRoutes(scope, services)
      imageRoutes(scope, services)
      downloadRoutes(scope, services)
      attachmentRoutes(scope, services)
    },
    { prefix: STORAGE_BASE },
  )
}
