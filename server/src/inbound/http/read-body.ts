import type { IncomingMessage } from 'node:http'
import { parse } from 'node:querystring'
import type { FastifyInstance } from 'fastify'

/** How long the body of a call may take to come; images go to the storage API, which has limits of its own. */
const bodyMs = 120_000

/**
 * Bodies of API calls: JSON, forms (a repeated key becomes a list), and JSON text that comes without its type, as one
 * public client sends bundles. Anything else on a call is read as text and refused by the call.
 */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addHook('preParsing', async (request, _reply, payload) => {
    if (request.method !== 'GET') endWhenLate(request.raw, bodyMs)
    return payload
  })
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    if (body === '') return done(null, {})
    try {
      const value: unknown = JSON.parse(body as string)
      if (isTooDeep(value)) done(badRequest('The body is nested too deeply'))
      else done(null, value)
    } catch (cause) {
      done(badRequest('The body is not readable as JSON', cause))
    }
  })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => {
    done(null, readForm(body as string))
  })
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    done(null, readForm(body as string))
  })
}

function badRequest(words: string, cause?: unknown): Error {
  return Object.assign(new Error(words, { cause }), { statusCode: 400 })
}

/** Deeper than any call needs; what walks a value by calling itself would run out of stack far below the parser. */
const maxDepth = 64

function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return false
}

/** Ends the connection of a sender who trickles. */
export function endWhenLate(body: IncomingMessage, limitMs: number): void {
  const late = setTimeout(() => body.destroy(), limitMs)
  for (const event of ['end', 'close']) body.once(event, () => clearTimeout(late))
}

/** A form; or JSON that came without its type, which begins like no form does. */
function readForm(text: string): unknown {
  if (/^\s*[[{]/.test(text)) {
    try {
      const value: unknown = JSON.parse(text)
      return isTooDeep(value) ? {} : value
    } catch {
      return { ...parse(text) } // not JSON after all
    }
  }
  return { ...parse(text) }
}
