import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { ConnectionPool } from './db/database.ts'

/** Counts kept by one server process, in the names that `/metrics` shows. No label holds a name, an address or a UID. */
export interface Metrics {
  registry: Registry
  /** Requests by method, route pattern and status. */
  requests: Counter<'method' | 'route' | 'status'>
  /** Seconds from the head of a request to the last byte of its reply, by route pattern. */
  requestSeconds: Histogram<'route'>
  /** Ended DICOM associations by outcome. */
  associations: Counter<'outcome'>
  openAssociations: Gauge
  /** Messages about orders by answer; `repeated` for those that were taken before. */
  orderMessages: Counter<'outcome'>
  /** Images that arrived, by way in and outcome. */
  images: Counter<'source' | 'outcome'>
  /** Bytes of images that were stored for the first time. */
  storedBytes: Counter<'source'>
  /** Bytes of thumbnails and metadata made ahead, as of the last sweep by this process. */
  cacheBytes: Gauge<'state'>
}

const requestBuckets = [0.005, 0.025, 0.1, 0.25, 1, 2.5, 10, 60, 600]

/** Adds the connections of the database pool to the figures, read when they are asked for. */
export function watchPool({ registry }: Metrics, pool: ConnectionPool): void {
  const connections = new Gauge({
    name: 'hilum_database_connections',
    help: 'Connections of the database pool: busy, idle, and requests that wait for one',
    labelNames: ['state'],
    registers: [],
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
  registry.registerMetric(connections)
}

/** @param isWatched adds figures of the process itself (CPU, memory, event loop, garbage collection), which cost a little */
export function createMetrics(isWatched: boolean): Metrics {
  const registry = new Registry()
  const registers = [registry]
  if (isWatched) collectDefaultMetrics({ register: registry })
  return {
    registry,
    requests: new Counter({
      name: 'hilum_http_requests_total',
      help: 'Requests answered, by route pattern',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'hilum_http_request_seconds',
      help: 'Time from the head of a request to the last byte of its reply',
      labelNames: ['route'],
      buckets: requestBuckets,
      registers,
    }),
    associations: new Counter({
      name: 'hilum_dicom_associations_total',
      help: 'DICOM associations that ended, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    openAssociations: new Gauge({
      name: 'hilum_dicom_associations_open',
      help: 'DICOM associations that are open',
      registers,
    }),
    orderMessages: new Counter({
      name: 'hilum_hl7_messages_total',
      help: 'Messages about orders (HL7 v2), by answer: AA, AE, AR, and repeated for those taken before',
      labelNames: ['outcome'],
      registers,
    }),
    images: new Counter({
      name: 'hilum_images_total',
      help: 'Images that arrived, by way in (upload, harvest) and outcome',
      labelNames: ['source', 'outcome'],
      registers,
    }),
    storedBytes: new Counter({
      name: 'hilum_images_stored_bytes_total',
      help: 'Bytes of images that were stored for the first time',
      labelNames: ['source'],
      registers,
    }),
    cacheBytes: new Gauge({
      name: 'hilum_cache_bytes',
      help: 'Bytes of thumbnails and lists made ahead at the last sweep of this process: held, and removed by it',
      labelNames: ['state'],
      registers,
    }),
  }
}
