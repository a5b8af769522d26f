import type { FastifyInstance } from 'fastify'
import { lockReplies } from '../http/guard-replies.ts'
import { noteRefusedRequests } from '../note-refused-requests.ts'
import { knowReplies } from '../../access/door-of-request.ts'
import type { Services } from '../../services.ts'
import { answerError } from './answer-errors.ts'
import { bulkRoutes } from './bulk-routes.ts'
import { capabilitiesRoutes } from './capabilities-routes.ts'
import { frameRoutes } from './frame-routes.ts'
import { measurementRoutes } from './measurement-routes.ts'
import { metadataRoutes } from './metadata-routes.ts'
import { renderedRoutes } from './rendered-routes.ts'
import { retrieveRoutes } from './retrieve-routes.ts'
import { searchRoutes } from './search-routes.ts'
import { storeRoutes } from './store-routes.ts'

/** DICOMweb of one namespace at `/dicomweb/{namespace}`, of all that the caller may see at `/dicomweb/all`. */
export async function dicomwebRoutes(app: FastifyInstance, services: Services): Promise<void> {
  app.removeAllContentTypeParsers()
  // Bodies are handed on as streams, whatever type they claim; nothing is read before the caller is known.
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  app.setErrorHandler(answerError)
  lockReplies(app)
  knowReplies(app)
  noteRefusedRequests(app, services, 'dicomweb')
  capabilitiesRoutes(app, services)
  searchRoutes(app, services)
  metadataRoutes(app, services)
  retrieveRoutes(app, services)
  frameRoutes(app, services)
  renderedRoutes(app, services)
  bulkRoutes(app, services)
  storeRoutes(app, services)
  measurementRoutes(app, services)
}
