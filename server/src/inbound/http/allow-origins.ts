import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Addresses that scripts of other origins may call. Pages and their files are for nobody else. */
const openPrefixes = ['/api/', '/dicomweb/', '/host/']
const methods = 'GET, HEAD, POST, DELETE'
/** Headers of replies that a script may read besides those that every one may. */
const exposed = 'Accept-Ranges, Content-Disposition, Content-Length, Content-Range, ETag, Retry-After, Warning'
const preflightSeconds = 600
const headerNames = /^[\w\-, ]{1,1000}$/

/**
 * Cross-origin requests (CORS): without a setting no reply allows any, so browsers keep replies from foreign pages. A
 * named origin may send the cookie as well, which its SameSite mark keeps to pages of our own site; `*` never may.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[] | undefined): void {
  if (!origins) return
  app.addHook('onRequest', async (request, reply) => {
    if (!openPrefixes.some((prefix) => request.url.startsWith(prefix))) return undefined
    reply.header('vary', 'origin')
    const { origin } = request.headers
    const isNamed = origin !== undefined && origins.includes(origin)
    if (!origin || (!isNamed && !origins.includes('*'))) return undefined
    reply.headers({
      'access-control-allow-origin': isNamed ? origin : '*',
      'access-control-expose-headers': exposed,
      ...(isNamed ? { 'access-control-allow-credentials': 'true' } : {}),
    })
    return isPreflight(request) ? reply.code(204).headers(preflightHeaders(request)).send() : undefined
  })
}

function isPreflight(request: FastifyRequest): boolean {
  return request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
}

function preflightHeaders(request: FastifyRequest): Record<string, string> {
  const asked = String(request.headers['access-control-request-headers'] ?? '')
  return {
    'access-control-allow-methods': methods,
    'access-control-max-age': String(preflightSeconds),
    ...(headerNames.test(asked) ? { 'access-control-allow-headers': asked } : {}),
  }
}
