import { StorageError } from '@hilum/contract/storage-errors'
import type { FastifyInstance } from 'fastify'
import { lockReplies } from '../http/guard-replies.ts'
import { noteRefusedRequests } from '../note-refused-requests.ts'
import { knowReplies } from '../../access/door-of-request.ts'
import type { Services } from '../../services.ts'
import { answerStorageFailures } from './answer-failures.ts'
import { attachmentRoutes } from './attachment-routes.ts'
import { cacheRoutes } from './cache-routes.ts'
import { contentRoutes } from './content-routes.ts'
import { deleteRoutes } from './delete-routes.ts'
import { downloadRoutes } from './download-routes.ts'
import { imageRoutes } from './image-routes.ts'
import { holdRoutes } from './hold-routes.ts'
import { linkUploadRoutes } from './link-upload-routes.ts'
import { storageMetadataRoutes } from './metadata-routes.ts'
import { withoutNull } from './read-text.ts'
import { studyRoutes } from './study-routes.ts'
import { attributeRoutes } from './attribute-routes.ts'
import { uploadRoutes } from './upload-routes.ts'
import { wrapRoutes } from './wrap-routes.ts'

const STORAGE_BASE = '/api/v3/storage'

/** The storage API under `/api/v3/storage`. Register in a scope of its own: it replaces the body parsers. */
export async function storageRoutes(app: FastifyInstance, services: Services): Promise<void> {
  app.removeAllContentTypeParsers()
  // Bodies are handed on as streams, whatever type they claim; nothing is read before the caller is known.
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  answerStorageFailures(app)
  lockReplies(app)
  knowReplies(app)
  noteRefusedRequests(app, services, 'storage')
  app.addHook('onRequest', async (request) => {
    joinRepeated(request.query as Record<string, unknown>)
    const sent = [...Object.values(request.params ?? {}), ...Object.values(request.query ?? {})]
    for (const text of sent) withoutNull(String(text))
  })
  // Browsers reach an engine through the main host under the second prefix.
  for (const prefix of [STORAGE_BASE, `/host/:engine${STORAGE_BASE}`]) {
    await app.register(async (scope) => storageCalls(scope, services), { prefix })
  }
}

/** A parameter that is sent twice is a list, as the wire writes lists; of sids the first counts. */
function joinRepeated(query: Record<string, unknown>): void {
  for (const [name, sent] of Object.entries(query)) {
    if (Array.isArray(sent)) query[name] = name === 'sid' ? sent[0] : sent.join(',')
  }
}

function storageCalls(scope: FastifyInstance, services: Services): void {
  uploadRoutes(scope, services)
  linkUploadRoutes(scope, services)
  studyRoutes(scope, services)
  attributeRoutes(scope, services)
  imageRoutes(scope, services)
  contentRoutes(scope, services)
  storageMetadataRoutes(scope, services)
  downloadRoutes(scope, services)
  attachmentRoutes(scope, services)
  cacheRoutes(scope, services)
  deleteRoutes(scope, services)
  wrapRoutes(scope, services)
  holdRoutes(scope, services)
  // an unknown address is refused in the form of this API, not in that of the other
  scope.route({
    method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    url: '/*',
    handler: async () => {
      throw new StorageError('NOT_FOUND')
    },
  })
}
