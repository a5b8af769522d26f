import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Sends a gzip file as it lies there, or opened for the rare client that cannot read it. */
export function sendGzip(request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply {
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(String(request.headers['accept-encoding'] ?? ''))
  if (takesGzip) reply.header('content-encoding', 'gzip')
  if (request.method === 'HEAD') return reply.send()
  const file = createReadStream(path)
  // the file is closed also when the client leaves in the middle; a failure reaches the answer by itself
  return reply.send(takesGzip ? file : pipeline(file, createGunzip(), () => undefined))
}
