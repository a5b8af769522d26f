import type { FastifyRequest } from 'fastify'

/**
 * Whether a page of this very host sent the request. SameSite keeps cookies from pages of other sites alone; another
 * host of the same domain, or another port, is told by the Origin that browsers send with every POST. Programs send
 * none, and have the sid.
 */
export function isOwnPage(request: FastifyRequest, publicUrl: string | undefined): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site !== undefined && site !== 'same-origin') return false
  const sent = readOrigin(origin)
  if (!sent) return false
  if (publicUrl && sent.origin === new URL(publicUrl).origin) return true
  // a proxy that ends TLS may pass plain http on, so that the scheme counts only where TLS ends here
  const isScheme = request.protocol === 'https' ? sent.protocol === 'https:' : true
  return isScheme && sent.host === readOrigin(`${sent.protocol}//${request.host}`)?.host
}

function readOrigin(text: string | undefined): URL | undefined {
  return text && /^https?:/.test(text) && URL.canParse(text) ? new URL(text) : undefined
}
