import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { screenAddresses } from '@hilum/contract/screens'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** No script but our own files, nothing framed but our own viewer, no page of ours inside another site's frame. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "frame-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * The built web app: hashed assets for a year, and its one page for every address that is a screen's.
 * Any other address is answered 404.
 */
export async function webRoutes(app: FastifyInstance, webFolder: string): Promise<void> {
  if (!existsSync(join(webFolder, 'index.html'))) {
    app.get('/', async (_request, reply) =>
      reply.code(503).type('text/plain').send('The web app is not built. Start Hilum with npm start, which builds it.'),
    )
    return
  }
  await app.register(fastifyStatic, {
    root: webFolder,
    index: false,
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
      reply.header('x-content-type-options', 'nosniff')
      // the page at its file's own name, too
      if (path.endsWith('.html')) reply.header('content-security-policy', pagePolicy)
    },
  })
  const page = readFileSync(join(webFolder, 'index.html'))
  app.setNotFoundHandler(async (request, reply) => {
    // HEAD too: what watches whether we are up asks so
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const isKnown = isScreen(request.url.split('?')[0] ?? '')
    // a person who mistyped an address is shown the app's own words, with the status that says so to programs
    if (!isRead || !(isKnown || /\btext\/html\b/.test(request.headers.accept ?? '')))
      return reply.code(404).type('text/plain').send('Not found')
    reply
      .header('content-security-policy', pagePolicy)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-cache')
    return isKnown ? reply.sendFile('index.html') : reply.code(404).type('text/html; charset=utf-8').send(page)
  })
}

/** A screen's address as an expression: parts of any text, and with or without a slash at its end. */
function addressPattern(screen: string): RegExp {
  const parts = screen
    .split('/')
    .slice(1)
    .map((part) => {
      if (part === '$') return '(/.*)?'
      if (part.startsWith('{-$')) return '(/[^/]+)?'
      return part.startsWith('$') ? '/[^/]+' : `/${part}`
    })
  return new RegExp(`^${parts.join('').replace(/\/$/, '')}/?$`)
}

const aliasOfAll = '/inbox/$'
const patterns = screenAddresses.filter((one) => one !== aliasOfAll).map(addressPattern)

function isScreen(path: string): boolean {
  // ROUTE-09: /inbox/* is the same as /*
  const address = path.replace(/^\/inbox(?=\/|$)/, '')
  // an address that looks like a file is none of ours, but for the public product's pages of administration (ROUTE-15)
  if (/\.\w{2,5}$/.test(address) && !/^\/organization\/[^/]+\.html$/.test(address)) return false
  return patterns.some((one) => one.test(address))
}
