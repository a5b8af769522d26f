import { setTimeout as delay } from 'node:timers/promises'
import { healthLive, healthReady } from '@hilum/contract/routes/others'
import type { FastifyInstance } from 'fastify'
import { pingDatabase } from '../../db/ping.sql.ts'
import type { Services } from '../../services.ts'
import { openRoute } from '../route.ts'

const patienceMs = 2_000

/**
 * For probes of load balancers and monitors: `/health/live` says that the process answers, `/health/ready` that its
 * database does too, and takes new connections. Nothing else is told, as anybody may ask.
 */
export async function healthRoutes(
  app: FastifyInstance,
  services: Pick<Services, 'db' | 'connections'>,
): Promise<void> {
  openRoute(app, healthLive, (_request, reply) => reply.send({ status: 'OK' }))
  openRoute(app, healthReady, async (_request, reply) => {
    if (await isReady(services)) return reply.send({ status: 'OK' })
    return reply.code(503).header('retry-after', '5').send({ status: 'UNAVAILABLE' })
  })
}

/** A database that takes no new connection is about to be away, whatever the open ones answer. */
async function isReady({ db, connections }: Pick<Services, 'db' | 'connections'>): Promise<boolean> {
  if (connections?.fault() !== undefined) return false
  const patience = new AbortController()
  const answered = pingDatabase(db).then(
    () => true,
    () => false,
  )
  try {
    return await Promise.race([answered, delay(patienceMs, false, { signal: patience.signal })])
  } finally {
    patience.abort()
  }
}
