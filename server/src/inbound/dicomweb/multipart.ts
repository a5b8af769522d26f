import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendBody } from '../storage/send-body.ts'

export interface PartOut {
  contentType: string
  location?: string
  length?: number
  /** The next part is asked for when this one has left. */
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/**
 * Sends a multipart/related answer. The first part is prepared before the answer begins, so that a failure still has a
 * status of its own; a later one ends the connection, which no client takes for the end of the answer.
 */
export async function sendMultipart(
  request: FastifyRequest,
  reply: FastifyReply,
  partType: string,
  parts: AsyncGenerator<PartOut>,
): Promise<FastifyReply> {
  const boundary = newBoundary()
  reply.header('content-type', `multipart/related; type="${partType}"; boundary=${boundary}`)
  const first = await parts.next()
  if (request.method === 'HEAD') {
    await parts.return(undefined)
    return reply.send()
  }
  async function* all(): AsyncGenerator<PartOut> {
    for (let part = first; !part.done; part = await parts.next()) yield part.value
  }
  // clients that are gone leave a body that never began, and that closes nothing: the parts are let go of here
  return sendBody(request, reply, writeMultipart(boundary, all())).finally(() => parts.return(undefined))
}

/** A boundary that no image holds but by a chance of 2^-128. */
function newBoundary(): string {
  return `hilum-${randomBytes(16).toString('hex')}`
}

/** The bytes of a multipart/related answer, a part at a time. Source: RFC 2387, PS3.18 §8.6.1.2.1. */
async function* writeMultipart(boundary: string, parts: AsyncIterable<PartOut>): AsyncGenerator<Uint8Array> {
  let lead = ''
  for await (const part of parts) {
    const headers = [
      `Content-Type: ${part.contentType}`,
      ...(part.location ? [`Content-Location: ${part.location}`] : []),
      ...(part.length === undefined ? [] : [`Content-Length: ${part.length}`]),
    ]
    yield Buffer.from(`${lead}--${boundary}\r\n${headers.join('\r\n')}\r\n\r\n`)
    yield* part.body
    lead = '\r\n'
  }
  yield Buffer.from(`${lead}--${boundary}--\r\n`)
}
