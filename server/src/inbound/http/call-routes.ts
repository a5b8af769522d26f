import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bearerOf, deviceCookie, flowCookie, readCookie, sidCookie } from '../../access/sid-of-request.ts'
import type { Origin } from '../../areas/handler.ts'
import type { Services } from '../../services.ts'
import { endUnreadBody } from '../storage/answer-failures.ts'
import { dispatch, findCall, refuseAbsent } from './dispatch.ts'
import { lockReplies } from './guard-replies.ts'
import { readBodies } from './read-body.ts'
import { isOwnPage } from './is-own-page.ts'
import { readCallPath } from './read-call-path.ts'
import { BundleError, runBundle } from './run-bundle.ts'

const anyCall = '/api/v3/*'

/** Every call at `/api/v3/<path>`: GET with a query, POST with a form or JSON; a slash at the end does no harm. */
export async function callRoutes(app: FastifyInstance, services: Services): Promise<void> {
  lockReplies(app)
  readBodies(app, services, (request) => findCall(pathOf(request))?.on.kind === 'anyone')
  app.route({
    method: ['GET', 'POST'],
    url: anyCall,
    onRequest: async (request, reply) => refuseUnknown(request, reply),
    handler: async (request, reply) => {
      const path = pathOf(request)
      if (path === 'bundle') return answerBundle(services, request, reply)
      if (!isReadable(request.body)) {
        return reply
          .code(400)
          .send({ status: 'ERROR', error_type: 'BAD_REQUEST', error_data: 'The body of a call is a JSON object' })
      }
      const { status, body } = await dispatch(
        services,
        path,
        sentOf(request),
        originOf(request, reply, services.config.publicUrl),
      )
      return reply.code(status).send(body)
    },
  })
  app.route({
    method: ['PUT', 'DELETE', 'PATCH', 'OPTIONS'],
    url: anyCall,
    handler: async (_request, reply) => refuseMethod(reply, 'GET, POST'),
  })
}

/** Refuses unknown calls, other methods and secrets in the address, before a byte of the body is read. */
function refuseUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  const path = pathOf(request)
  const call = findCall(path)
  if (!call && path !== 'bundle') {
    endUnreadBody(request)
    const { status, body } = refuseAbsent(path)
    return reply.code(status).send(body)
  }
  const isPostOnly = call ? call.postOnly === true : true
  if (isPostOnly && request.method !== 'POST') return refuseMethod(reply, 'POST')
  const secret = Object.keys(request.query as Record<string, unknown>).find((name) => isSecret(name))
  if (secret === undefined) return undefined
  endUnreadBody(request)
  return reply.code(400).send({
    status: 'ERROR',
    error_type: 'BAD_REQUEST',
    error_subtype: secret,
    error_data: 'Passwords and tokens are taken from the body of a request, never from its address',
  })
}

/** Addresses stand in histories and in the logs of proxies; the sid of the wire is docs/decisions/0024. */
function isSecret(name: string): boolean {
  return /password|client_secret|^token$/i.test(name) && !rulesOfPasswords.has(name.toLowerCase())
}

/** Parameters that speak of a password and hold none. */
const rulesOfPasswords: ReadonlySet<string> = new Set(['password_is_dob', 'password_expire'])

async function answerBundle(services: Services, request: FastifyRequest, reply: FastifyReply) {
  try {
    const replies = await runBundle(services, request.body, originOf(request, reply, services.config.publicUrl))
    return reply.type('application/json; charset=utf-8').send(replies)
  } catch (error) {
    if (!(error instanceof BundleError)) throw error
    return reply.code(400).send({ status: 'ERROR', error_type: 'INVALID_JSON', error_data: error.message })
  }
}

function refuseMethod(reply: FastifyReply, allowed: string) {
  return reply.code(405).header('allow', allowed).send({ status: 'ERROR', error_type: 'METHOD_NOT_ALLOWED' })
}

/** The address of a known call, e.g. `/api/v3/study/list`; undefined for any other request. */
export function callPathOf(request: FastifyRequest): string | undefined {
  if (request.routeOptions.url !== anyCall) return undefined
  const path = pathOf(request)
  return path === 'bundle' || findCall(path) ? `/api/v3/${path}` : undefined
}

function pathOf(request: FastifyRequest): string {
  return readCallPath((request.params as { '*': string })['*'])
}

/** A call without a body has none; JSON that is no object names no parameters. */
function isReadable(body: unknown): boolean {
  return body === undefined || body === null || (typeof body === 'object' && !Array.isArray(body))
}

/** Query and body together; of the same name the body's counts. */
function sentOf(request: FastifyRequest): Record<string, unknown> {
  return { ...(request.query as Record<string, unknown>), ...(request.body as Record<string, unknown> | null) }
}

function originOf(request: FastifyRequest, reply: FastifyReply, publicUrl: string | undefined): Origin {
  const isHttps = request.protocol === 'https'
  const isOwn = isOwnPage(request, publicUrl)
  const setCookie = (name: string, value: string, ...more: string[]) => {
    const parts = [`${name}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Strict', ...(isHttps ? ['Secure'] : [])]
    reply.header('set-cookie', [...parts, ...more].join('; '))
  }
  return {
    host: request.host,
    isHttps,
    clientAddress: request.ip,
    sid: bearerOf(request),
    cookieSid: isOwn ? readCookie(request, sidCookie) : undefined,
    userAgent: request.headers['user-agent'],
    setCookie: (sid) => setCookie(sidCookie, sid ?? '', ...(sid ? [] : ['Max-Age=0'])),
    deviceCookie: isOwn ? readCookie(request, deviceCookie) : undefined,
    setDeviceCookie: isOwn ? (secret, seconds) => setCookie(deviceCookie, secret, `Max-Age=${seconds}`) : undefined,
    flowCookie: isOwn ? readCookie(request, flowCookie) : undefined,
    setFlowCookie: (secret, seconds) => setCookie(flowCookie, secret, `Max-Age=${seconds}`),
  }
}
