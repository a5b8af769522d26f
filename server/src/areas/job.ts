import type { Services } from '../services.ts'

/** A piece of work that outlives the request. It may run more than once, and on any server process, and must not mind. */
export interface Job<Payload extends object> {
  name: string
  /** When it runs by itself, as a cron line in UTC. */
  schedule?: string
  /** How often a failed run is tried again, with growing pauses. */
  retries: number
  /** Seconds after which a run that gave no answer counts as failed. */
  expireSeconds: number
  run: (services: Services, payload: Payload) => Promise<void>
}
