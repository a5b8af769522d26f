import type { FastifyInstance, FastifyRequest } from 'fastify'

/** A year, as browsers ask for. */
const httpsOnlySeconds = 31_536_000

/**
 * Headers of every reply unless its route says otherwise: kept nowhere, read as the type it names, no address of ours
 * told to another site. Replies with patient data or a sid stay so; pixels may be kept and are asked for again
 * (`pixelCaching`), and our own files name their own times (`docs/decisions/0020-what-browsers-keep.md`).
 */
export function guardReplies(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(guardHeaders(request))
  })
}

/**
 * Makes every reply of these routes one that runs nothing, wherever it is opened: these routes send files of people, or
 * repeat words of the request.
 */
export function lockReplies(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('content-security-policy', "default-src 'none'; sandbox")
  })
}

export function guardHeaders({ protocol }: Pick<FastifyRequest, 'protocol'>): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...(protocol === 'https' ? { 'strict-transport-security': `max-age=${httpsOnlySeconds}` } : {}),
  }
}
