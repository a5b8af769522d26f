import type { FastifyBaseLogger } from 'fastify'
import type { Log } from '../../log.ts'

/** The log of a request, whose lines have its number, for events of ours alone. */
export function logOf({ log }: { log: FastifyBaseLogger }): Log {
  return log
}
