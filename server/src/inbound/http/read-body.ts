import type { IncomingMessage } from 'node:http'
import { maxSessionlessBodyBytes } from '@hilum/contract/limits'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isLiveSid } from '../../access/find-caller.ts'
import { sidOfRequest } from '../../access/sid-of-request.ts'
import type { Services } from '../../services.ts'
import { CallBodyError, readCallBody } from './read-call-body.ts'

/** How long the body of a call may take to come; images go to the storage API, which has limits of its own. */
const bodyMs = 120_000

/**
 * Bodies of API calls: JSON, forms (a repeated key becomes a list), and JSON text that comes without its type, as one
 * public client sends bundles. Anything else on a call is read as a form and refused by the call. More than a few
 * kilobytes are read only for a live session.
 * @param isForAnyone whether the call that the request asks for needs no session
 */
export function readBodies(
  app: FastifyInstance,
  services: Services,
  isForAnyone: (request: FastifyRequest) => boolean,
): void {
  app.removeAllContentTypeParsers()
  for (const type of ['application/json', '*']) {
    app.addContentTypeParser(type, async (request: FastifyRequest, payload: IncomingMessage) => {
      endWhenLate(request.raw, bodyMs)
      const announced = request.headers['content-length']
      return readCallBody(payload, {
        isJson: type === 'application/json',
        contentLength: announced === undefined ? undefined : Number(announced),
        mayGoOn: async (beginning) => !isForAnyone(request) && (await hasSession(services, request, beginning)),
      })
    })
  }
}

/** @throws CallBodyError 401, so that a client whose session has ended signs in again */
async function hasSession(services: Services, request: FastifyRequest, beginning: Buffer): Promise<boolean> {
  const sid = sidOfRequest(request, { cookieToo: false }) ?? findSid(beginning.toString('latin1'))
  if (sid && (await isLiveSid(services.db, sid))) return true
  throw new CallBodyError(
    401,
    `Without a live session a body holds at most ${maxSessionlessBodyBytes} bytes; send the sid at its beginning`,
  )
}

/** The first sid in the text of a form or of JSON. */
function findSid(text: string): string | undefined {
  const match = /"sid"\s*:\s*"([\w-]{1,200})"|(?:^|&)sid=([\w-]{1,200})/.exec(text)
  return match?.[1] ?? match?.[2]
}

/** Ends the connection of who trickles. */
export function endWhenLate(body: IncomingMessage, limitMs: number): void {
  const late = setTimeout(() => body.destroy(), limitMs)
  for (const event of ['end', 'close']) body.once(event, () => clearTimeout(late))
}
