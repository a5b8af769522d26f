import type { FastifyRequest } from 'fastify'

/** The cookie that the web app gets beside its sid; it authorises reading only. */
export const sidCookie = 'hilum_sid'

/** The cookie that binds a sign-in by a provider of identities to the browser that began it. */
export const flowCookie = 'hilum_flow'

/** The cookie with which a person passes without a second factor in one browser; named as on the wire. */
export const deviceCookie = 'device_id'

/** The session token of a request: `sid` in the query, a bearer token, or – where allowed – a cookie. */
export function sidOfRequest(request: FastifyRequest, options: { cookieToo: boolean }): string | undefined {
  const fromQuery = (request.query as Record<string, unknown> | undefined)?.sid
  const first = Array.isArray(fromQuery) ? fromQuery[0] : fromQuery
  if (typeof first === 'string' && first) return first
  return bearerOf(request) ?? (options.cookieToo ? readCookie(request, sidCookie) : undefined)
}

export function bearerOf(request: FastifyRequest): string | undefined {
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
}

export function readCookie(request: FastifyRequest, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim()
  }
  return undefined
}
