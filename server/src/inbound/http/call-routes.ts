import { maxCallBodyBytes } from '@hilum/contract/limits'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bearerOf, sidCookie } from '../../access/sid-of-request.ts'
import type { Origin } from '../../areas/handler.ts'
import type { Services } from '../../services.ts'
import { dispatch, findCall } from './dispatch.ts'
import { readBodies } from './read-body.ts'
import { BundleError, runBundle } from './run-bundle.ts'

/** Every call at `/api/v3/<path>`: GET with a query, POST with a form or JSON; a slash at the end does no harm. */
export async function callRoutes(app: FastifyInstance, services: Services): Promise<void> {
  readBodies(app)
  app.route({
    method: ['GET', 'POST'],
    url: '/api/v3/*',
    bodyLimit: maxCallBodyBytes,
    handler: async (request, reply) => {
      const path = pathOf(request)
      if (path === 'bundle') return answerBundle(services, request, reply)
      const call = findCall(path)
      if (!call) return reply.code(404).send({ status: 'ERROR', error_type: 'NOT_FOUND', error_subtype: 'call' })
      if (call.postOnly && request.method !== 'POST') return refuseMethod(reply, 'POST')
      if (!isReadable(request.body)) {
        return reply
          .code(400)
          .send({ status: 'ERROR', error_type: 'BAD_REQUEST', error_data: 'The body of a call is a JSON object' })
      }
      const { status, body } = await dispatch(services, path, sentOf(request), originOf(request, reply))
      return reply.code(status).send(body)
    },
  })
  app.route({
    method: ['PUT', 'DELETE', 'PATCH', 'OPTIONS'],
    url: '/api/v3/*',
    handler: async (_request, reply) => refuseMethod(reply, 'GET, POST'),
  })
}

async function answerBundle(services: Services, request: FastifyRequest, reply: FastifyReply) {
  if (request.method !== 'POST') return refuseMethod(reply, 'POST')
  try {
    const replies = await runBundle(services, request.body, originOf(request, reply))
    return reply.type('application/json; charset=utf-8').send(replies)
  } catch (error) {
    if (!(error instanceof BundleError)) throw error
    return reply.code(400).send({ status: 'ERROR', error_type: 'INVALID_JSON', error_data: error.message })
  }
}

function refuseMethod(reply: FastifyReply, allowed: string) {
  return reply.code(405).header('allow', allowed).send({ status: 'ERROR', error_type: 'METHOD_NOT_ALLOWED' })
}

function pathOf(request: FastifyRequest): string {
  return (request.params as { '*': string })['*'].replace(/\/+$/, '')
}

/** A call without a body has none; JSON that is no object names no parameters. */
function isReadable(body: unknown): boolean {
  return body === undefined || body === null || (typeof body === 'object' && !Array.isArray(body))
}

/** Query and body together; of the same name the body's counts. */
function sentOf(request: FastifyRequest): Record<string, unknown> {
  return { ...(request.query as Record<string, unknown>), ...(request.body as Record<string, unknown> | null) }
}

function originOf(request: FastifyRequest, reply: FastifyReply): Origin {
  const isHttps = request.protocol === 'https'
  return {
    host: request.host,
    isHttps,
    clientAddress: request.ip,
    sid: bearerOf(request),
    setCookie: (sid) => {
      const parts = [
        `${sidCookie}=${sid ?? ''}`,
        'Path=/',
        'HttpOnly',
        'SameSite=Strict',
        ...(isHttps ? ['Secure'] : []),
      ]
      reply.header('set-cookie', [...parts, ...(sid ? [] : ['Max-Age=0'])].join('; '))
    },
  }
}
