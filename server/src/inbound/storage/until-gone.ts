import type { FastifyReply } from 'fastify'

/** Aborts when the client has left, or has its answer: long work before the first byte ends with it. */
export function untilGone({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  if (raw.destroyed) controller.abort()
  else raw.once('close', () => controller.abort())
  return controller.signal
}
