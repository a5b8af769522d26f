import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerBegins } from './before-answer.ts'
import { logOf } from '../http/request-log.ts'

/**
 * Sends a body, asking for each chunk when the one before has left: however slowly it is read, one chunk of it is in
 * memory, and whoever makes the chunks may give up the memory of one when it is asked for the next.
 *
 * The first chunk is made before the answer begins, so that a failure still has a status of its own; a later one ends
 * the connection, which no reader takes for the end of the body.
 */
export async function sendBody(
  request: FastifyRequest,
  reply: FastifyReply,
  body: AsyncGenerator<Uint8Array>,
): Promise<FastifyReply> {
  const first = await body.next()
  await beginAnswer(request, body)
  reply.hijack()
  const { raw } = reply
  const reader = openReader(raw)
  try {
    raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
    for (let chunk = first; !chunk.done; chunk = await body.next()) await reader.take(chunk.value)
    raw.end()
  } catch (error) {
    if (!reader.isGone()) {
      logOf(request).error({
        event: 'answer broken off',
        request: request.id,
        route: request.routeOptions.url,
        err: error,
      })
    }
    raw.destroy()
  } finally {
    await body.return(undefined)
  }
  return reply
}

async function beginAnswer(request: FastifyRequest, body: AsyncGenerator<Uint8Array>): Promise<void> {
  try {
    await answerBegins(request)
  } catch (error) {
    await body.return(undefined)
    throw error
  }
}

/** Hands chunks to a connection; the wait for one ends also with the connection, which forgets whom it should call. */
function openReader(raw: ServerResponse): { take: (chunk: Uint8Array) => Promise<void>; isGone: () => boolean } {
  let isGone = raw.destroyed
  let giveUp: (error: Error) => void = () => undefined
  raw.once('close', () => {
    isGone = true
    giveUp(new Error('The reader has gone'))
  })
  const take = (chunk: Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      if (isGone) throw new Error('The reader has gone')
      giveUp = reject
      raw.write(chunk, (error) => (error ? reject(error) : resolve()))
    })
  return { take, isGone: () => isGone }
}
