import type { FastifyReply, FastifyRequest } from 'fastify'
import { isSet } from '@hilum/contract/route-parameters'

/** Whether a form was sent from a hidden frame of an old browser, which would offer JSON to be saved. */
export function isForFrame(request: FastifyRequest): boolean {
  const { return_html: asked } = request.query as { return_html?: string }
  return request.method === 'POST' && request.routeOptions.url?.endsWith('/attachment') === true && isSet(asked)
}

/**
 * Sends JSON under the name of HTML, so that a page reads it as the text of its frame. The page holds the same JSON, in
 * which nothing is a tag or an entity; nothing in the frame runs, and only pages of the same origin read it.
 */
export function sendForFrame(reply: FastifyReply, body: object): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', "default-src 'none'; frame-ancestors 'self'; sandbox allow-same-origin")
    .send(JSON.stringify(body).replace(/[<>&\u2028\u2029]/g, escaped))
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
