import type { FastifyRequest } from 'fastify'

/** Scheme and host as the client named them; a host that is none is left out, which leaves addresses relative. */
export function originOf(request: FastifyRequest): string {
  return /^[\w.:[\]-]{1,255}$/.test(request.host) ? `${request.protocol}://${request.host}` : ''
}
