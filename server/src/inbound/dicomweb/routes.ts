import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services.ts'
import { answerError } from './answer-errors.ts'
import { retrieveRoutes } from './retrieve-routes.ts'
import { searchRoutes } from './search-routes.ts'
import { metadataRoutes } from './metadata-routes.ts'
import { frameRoutes } from './frame-routes.ts'

/** DICOMweb of one namespace at `/dicomweb/{namespace}`, of all that the caller may see at `/dicomweb/all`. */
export async function dicomwebRoutes(app: FastifyInstance, services: Services): Promise<void> {
  app.setErrorHandler(answerError)
  searchRoutes(app, services)
  metadataRoutes(app, services)
  retrieveRoutes(app, services)
  frameRoutes(app, services)
}
