import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Route } from '@hilum/contract/route'
import { takeBasic } from './take-basic.ts'
import { DatabaseAwayError, databaseRetrySeconds } from '../../db/database-away.ts'
import { explainStoreError } from '../../areas/storage/store-failure.ts'
import { StoreError } from '../../outbound/storage/store-error.ts'
import type { Services } from '../../services.ts'
import type { WebBuild } from '../../web-build.ts'
import { channelRoutes } from '../channel/channel-routes.ts'
import { dicomwebRoutes } from '../dicomweb/routes.ts'
import { endUnreadBody } from '../storage/answer-failures.ts'
import { storageRoutes } from '../storage/routes.ts'
import { allowOrigins } from './allow-origins.ts'
import { callRoutes } from './call-routes.ts'
import { docsRoutes } from './docs-routes.ts'
import { guardHeaders, guardReplies } from './guard-replies.ts'
import { healthRoutes } from './health-routes.ts'
import { countRequests, metricsRoutes } from './metrics-routes.ts'
import { refuseUnanswered, refuseUnreadable } from './refuse-unreadable.ts'
import { reportRoutes } from './report-routes.ts'
import { securityRoutes } from './security-routes.ts'
import { type ViewerPlace, viewerRoutes } from './viewer-routes.ts'
import { webRoutes } from './web-routes.ts'
import { logOf } from './request-log.ts'

/** A connection on which nothing moves for this long is closed: what a reader who stopped reading holds open adds up. */
const stalledMs = 600_000

/** One method at one pattern of addresses. */
export interface Door {
  method: string
  url: string
  /** The declaration that it serves. */
  declared?: Route | undefined
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every door that was registered. */
    doors: readonly Door[]
  }
}

interface AppFolders {
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
    ...serverOptions(services),
    routerOptions: { maxParamLength: 400, ignoreDuplicateSlashes: true },
    // an image may take long to arrive; each storage route has its own idle limit
    requestTimeout: 0,
    connectionTimeout: stalledMs,
    trustProxy: services.config.trustedProxies ?? false,
    forceCloseConnections: true,
  })
  const doors: Door[] = []
  app.addHook('onRoute', ({ method, url, config }) => {
    doors.push(...[method].flat().map((one) => ({ method: one, url, declared: config?.declared })))
  })
  app.decorate('doors', doors)
  guardReplies(app)
  refuseUnanswered(app)
  allowOrigins(app, services.config.corsOrigins)
  endRefusedUpgrades(app)
  logByPath(app)
  countRequests(app, services)
  takeBasic(app, services)
  answerFailures(app)
  // an address that takes no body reads none; those that do bring parsers of their own
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  await app.register(async (scope) => storageRoutes(scope, services))
  await app.register(async (scope) => dicomwebRoutes(scope, services))
  await app.register(async (scope) => viewerRoutes(scope, folders.viewer, folders.web.proviewer))
  await app.register(async (scope) => channelRoutes(scope, services))
  await app.register(docsRoutes)
  await app.register(async (scope) => reportRoutes(scope, services))
  await app.register(async (scope) => callRoutes(scope, services))
  await app.register(async (scope) => healthRoutes(scope, services))
  await app.register(async (scope) => metricsRoutes(scope, services))
  await app.register(async (scope) => securityRoutes(scope, services.config))
  await webRoutes(app, folders.web.app)
  return app
}

/** The HTTP side of a process without the role `web`: probes and figures, at the addresses that they have everywhere. */
export async function buildProbeApp(services: Services): Promise<FastifyInstance> {
  const app = Fastify(serverOptions(services))
  guardReplies(app)
  refuseUnanswered(app)
  countRequests(app, services)
  answerFailures(app)
  await app.register(async (scope) => healthRoutes(scope, services))
  await app.register(async (scope) => metricsRoutes(scope, services))
  app.setNotFoundHandler(async (_request, reply) => reply.code(404).type('text/plain').send('Not found'))
  return app
}

/** Leaves no answer to Node or Fastify, whose own lack the headers of every reply. */
function serverOptions({ log }: Services) {
  return {
    loggerInstance: log as FastifyBaseLogger,
    logController: new QuietAddresses(),
    frameworkErrors: refuseAddress,
    clientErrorHandler: refuseUnreadable,
    return503OnClosing: false,
    http: { requireHostHeader: false },
  }
}

/** An address that cannot be read reaches no route and no hook; it may hold a sid, so it is not repeated. */
function refuseAddress(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply
    .code(400)
    .headers(guardHeaders(request))
    .send({ status: 'ERROR', error_type: 'BAD_REQUEST', error_data: 'The address cannot be read' })
}

/**
 * Ends connections that asked for another protocol and got an answer: the server reads no further request from them, and
 * would hold them for good.
 */
function endRefusedUpgrades(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    if (isUpgrade(request)) reply.header('connection', 'close')
  })
  app.addHook('onResponse', async (request) => {
    if (isUpgrade(request)) request.raw.socket.destroySoon()
  })
}

function isUpgrade({ raw }: FastifyRequest): boolean {
  return (raw as { upgrade?: boolean | null }).upgrade === true // set by the parser, and not among Node's types
}

/** One line a request, by its path alone: the wire puts names and tokens into queries. */
function logByPath(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    logOf(request).info({
      event: 'request',
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    })
  })
}

/** Answers failures that no route has answered: the client's in words, ours as a number to look up in the log. */
function answerFailures(app: FastifyInstance): void {
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    endUnreadBody(request)
    // Fastify closes the connection of a refused body, and a sender that still writes would lose the answer.
    reply.removeHeader('connection')
    if (error instanceof DatabaseAwayError) {
      logOf(request).warn({ event: 'request met no database', route: request.routeOptions.url })
      const words = 'The database does not answer; try again in a moment'
      return reply
        .code(503)
        .header('retry-after', String(databaseRetrySeconds))
        .send({ status: 'ERROR', error_type: 'SERVICE_UNAVAILABLE', error_data: words })
    }
    if (error instanceof StoreError) {
      logOf(request).error({ event: 'store failed', route: request.routeOptions.url, err: error })
      const { httpStatus, message, retrySeconds } = explainStoreError(error)
      if (retrySeconds !== undefined) reply.header('retry-after', String(retrySeconds))
      const type = httpStatus === 503 ? 'SERVICE_UNAVAILABLE' : typeOf(httpStatus)
      return reply.code(httpStatus).send({ status: 'ERROR', error_type: type, error_data: message })
    }
    const status = error.statusCode && error.statusCode >= 400 && error.statusCode < 500 ? error.statusCode : 500
    if (status === 500)
      logOf(request).error({
        event: 'request failed',
        request: request.id,
        route: request.routeOptions.url,
        err: error,
      })
    const reason = status === 500 ? `Something failed; the log has it as ${request.id}` : error.message
    return reply.code(status).send({ status: 'ERROR', error_type: typeOf(status), error_data: reason })
  })
}

function typeOf(status: number): string {
  if (status === 500) return 'UNEXPECTED_ERROR'
  return status === 401 ? 'UNAUTHORIZED' : 'BAD_REQUEST'
}
