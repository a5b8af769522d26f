import { metrics } from '@hilum/contract/routes/others'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Gauge, Registry } from 'prom-client'
import { bearerOf } from '../../access/sid-of-request.ts'
import { findClockOffset } from '../../areas/installation/clock.sql.ts'
import { findMailFigures, findUnsealedSeconds, listJobFigures } from '../../areas/installation/figures.sql.ts'
import type { Services } from '../../services.ts'
import { openRoute } from '../route.ts'
import { callPathOf } from './call-routes.ts'

/** Counts every request by the pattern of its route; a call counts under its own path. */
export function countRequests(app: FastifyInstance, { metrics }: Pick<Services, 'metrics'>): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = callPathOf(request) ?? request.routeOptions.url ?? 'unknown'
    metrics.requests.inc({ method: request.method, route, status: reply.statusCode })
    metrics.requestSeconds.observe({ route }, reply.elapsedTime / 1000)
  })
}

/**
 * `/metrics` in the text format of Prometheus, for whoever has the token of the settings; without that setting the
 * address is unknown. The figures are of the whole installation, so no session of one organisation opens them.
 */
export async function metricsRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { metricsToken } = services.config
  openRoute(app, metrics, async (request, reply) => {
    if (metricsToken === undefined) return reply.callNotFound()
    if (!isToken(request, metricsToken)) {
      const words = 'The token of HILUM_METRICS_TOKEN is needed, as Authorization: Bearer'
      return reply.code(401).header('www-authenticate', 'Bearer realm="metrics"').type('text/plain').send(`${words}\n`)
    }
    const now = await readFigures(services)
    const text = await Registry.merge([services.metrics.registry, now]).metrics()
    return reply.type(Registry.PROMETHEUS_CONTENT_TYPE).send(text)
  })
}

/** Compares digests, which have one length, so that the time taken tells nothing of the token. */
function isToken(request: FastifyRequest, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(bearerOf(request) ?? ''), digest(token))
}

/** Figures of this moment. Metrics of the database are left out while it does not answer. */
async function readFigures({ db, disk, certificate, log, connections }: Services): Promise<Registry> {
  const registry = new Registry()
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `hilum_${name}`, help, labelNames, registers: [registry] })

  const room = await disk.look()
  gauge('disk_free_bytes', 'Free bytes on the fullest disk of the installation').set(room.freeBytes)
  gauge('disk_size_bytes', 'Size of that disk').set(room.totalBytes)
  gauge('disk_reserve_bytes', 'Bytes of it that uploads may not take').set(room.reserveBytes)
  const term = certificate.look()
  if (term)
    gauge('certificate_seconds_left', 'Until the certificate ends; below 0 once it is over').set(term.secondsLeft)
  const up = gauge('database_up', '1 when the database answers and takes new connections, else 0')
  try {
    const [jobs, mails, unsealedSeconds, clockOffset] = await Promise.all([
      listJobFigures(db),
      findMailFigures(db),
      findUnsealedSeconds(db),
      findClockOffset(db),
    ])
    up.set(connections?.fault() === undefined ? 1 : 0)
    const count = gauge('jobs', 'Jobs that wait, run, or were given up', ['job', 'state'])
    const delay = gauge('jobs_delay_seconds', 'For how long the oldest due job waits', ['job'])
    for (const { job, waiting, running, failed, delay_seconds } of jobs) {
      count.set({ job, state: 'waiting' }, waiting)
      count.set({ job, state: 'running' }, running)
      count.set({ job, state: 'failed' }, failed)
      delay.set({ job }, delay_seconds)
    }
    gauge('mails_waiting', 'Mails that wait to be sent').set(mails.waiting)
    gauge('mails_refused', 'Waiting mails that the mail server has refused').set(mails.refused)
    gauge('mails_age_seconds', 'Age of the oldest waiting mail').set(mails.age_seconds)
    gauge('clock_offset_seconds', 'By how much the clock of this process is ahead of the database’s').set(clockOffset)
    gauge('audit_unsealed_seconds', 'Age of the oldest audit row without a seal').set(unsealedSeconds)
  } catch (error) {
    log.warn({ event: 'metrics without the database', err: error })
    up.set(0)
  }
  return registry
}
