import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Services } from '../../services.ts'
import type { WebBuild } from '../../web-build.ts'
import { channelRoutes } from '../channel/channel-routes.ts'
import { dicomwebRoutes } from '../dicomweb/routes.ts'
import { storageRoutes } from '../storage/routes.ts'
import { callRoutes } from './call-routes.ts'
import { docsRoutes } from './docs-routes.ts'
import { type ViewerPlace, viewerRoutes } from './viewer-routes.ts'
import { webRoutes } from './web-routes.ts'

/** How long who sends too much may go on before the connection is closed. */
const patienceMs = 5000
/** A connection on which nothing moves for this long is closed: what a reader who stopped reading holds open adds up. */
const stalledMs = 600_000

export interface AppFolders {
  web: WebBuild
  viewer: ViewerPlace
}

/** Fastify's own lines would carry whole addresses, and with them names and tokens. */
class QuietAddresses extends LogController {
  constructor() {
    super({ disableRequestLogging: true })
  }
  override routeNotFound(): void {}
}

/** The whole HTTP side of one server process, not yet listening. */
export async function buildApp(services: Services, folders: AppFolders): Promise<FastifyInstance> {
  const app: FastifyInstance = Fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    logController: new QuietAddresses(),
    routerOptions: { maxParamLength: 400, ignoreDuplicateSlashes: true },
    // an image may take long to arrive; each storage route has its own idle limit
    requestTimeout: 0,
    connectionTimeout: stalledMs,
    trustProxy: services.config.trustedProxies ?? false,
    forceCloseConnections: true,
  })
  logByPath(app)
  answerFailures(app)
  await app.register(async (scope) => storageRoutes(scope, services))
  await app.register(async (scope) => dicomwebRoutes(scope, services))
  await app.register(async (scope) => viewerRoutes(scope, folders.viewer, folders.web.proviewer))
  await app.register(async (scope) => channelRoutes(scope, services))
  await app.register(docsRoutes)
  await app.register(async (scope) => callRoutes(scope, services))
  await webRoutes(app, folders.web.app)
  return app
}

/** One line a request, by its path alone: the wire puts names and tokens into queries. */
function logByPath(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    request.log.info({
      event: 'request',
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    })
  })
}

/** What no route has answered itself: the client's fault in words, or ours as a number to look up in the log. */
function answerFailures(app: FastifyInstance): void {
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const status = error.statusCode && error.statusCode >= 400 && error.statusCode < 500 ? error.statusCode : 500
    if (status === 500)
      request.log.error({ event: 'request failed', request: request.id, route: request.routeOptions.url, err: error })
    if (status === 413) letFinish(request, reply)
    const reason = status === 500 ? `Something failed; the log has it as ${request.id}` : error.message
    return reply
      .code(status)
      .send({ status: 'ERROR', error_type: status === 500 ? 'UNEXPECTED_ERROR' : 'BAD_REQUEST', error_data: reason })
  })
}

/**
 * Takes in the rest of a body that is refused for its size, unread: who sends all before reading would find the
 * connection broken instead of our answer. Not for ever, though.
 */
function letFinish({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.removeHeader('connection')
  raw.resume()
  const end = setTimeout(() => raw.destroy(), patienceMs)
  raw.once('close', () => clearTimeout(end))
}
