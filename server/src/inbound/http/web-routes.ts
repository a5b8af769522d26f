import { existsSync } from 'node:fs'
import { join } from 'node:path'
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
  // blob: an attached PDF, which is shown from memory.
  "frame-src 'self' blob:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const reservedPrefixes = ['/api/', '/dicomweb/', '/viewer/', '/proviewer/', '/channel/', '/host/']

/** The built web app: hashed assets for a year, and its one page for every address that is a screen's. */
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
    },
  })
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    const isScreen =
      // HEAD too: what watches whether we are up asks so
      (request.method === 'GET' || request.method === 'HEAD') &&
      !reservedPrefixes.some((prefix) => path.startsWith(prefix)) &&
      // what looks like a file is none of ours, but for the public product's pages of administration (ROUTE-15)
      (!/\.\w{2,5}$/.test(path) || /^\/organization\/[\w-]+\.html$/.test(path))
    if (!isScreen) return reply.code(404).type('text/plain').send('Not found')
    return reply
      .header('content-security-policy', pagePolicy)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-cache')
      .sendFile('index.html')
  })
}
