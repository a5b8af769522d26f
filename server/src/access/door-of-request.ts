import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AccessWatch } from './access-watch.ts'
import type { Asker } from './caller.ts'

type Check = (fresh: Asker) => Promise<boolean>

const replies = new WeakMap<IncomingMessage, ServerResponse>()
const checks = new WeakMap<Asker, Check[]>()
const callers = new WeakMap<IncomingMessage, Asker>()

/** The caller that each request of these routes was found to have. */
export function callerOfRequest(request: FastifyRequest): Asker | undefined {
  return callers.get(request.raw)
}

/** Lets `openDoor` end the requests of these routes. */
export function knowReplies(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    replies.set(request.raw, reply.raw)
  })
}

/**
 * Watches a request for as long as it lasts: when the caller's session ends, or a check added by `alsoAsk` fails, its
 * connection is cut, whether it sends or receives.
 */
export function openDoor(access: AccessWatch, request: FastifyRequest, caller: Asker): void {
  const reply = replies.get(request.raw)
  if (!reply) throw new Error('The routes of this request are not watched')
  callers.set(request.raw, caller)
  const own: Check[] = []
  checks.set(caller, own)
  const endWatch = access.open({
    caller,
    stillMay: async (fresh) => {
      for (const check of own) if (!(await check(fresh))) return false
      return true
    },
    close: () => reply.destroy(),
  })
  reply.once('close', endWatch)
  reply.once('finish', endWatch)
}

/** Adds a right on which the caller's request depends for as long as it lasts. */
export function alsoAsk(caller: Asker, check: Check): void {
  checks.get(caller)?.push(check)
}

/**
 * Asks no more for the rights added by `alsoAsk`: for a request that itself ends the right on which it depends, as a
 * deletion does. The answer must still reach the caller; the end of the session cuts the request all the same.
 */
export function askNoMore(caller: Asker): void {
  checks.get(caller)?.splice(0)
}
