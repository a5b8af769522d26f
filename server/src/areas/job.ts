import type * as z from 'zod'
import type { Tx } from '../db/database.ts'
import type { Services } from '../services.ts'
import type { Clock } from './job/clock.ts'
import type { WorkFault } from './job/work-failure.ts'

/**
 * A kind of work that outlives the request. A job may run more than once, and on any server process, and must not mind.
 */
export interface DeclaredJob<Payload extends object = object> {
  name: string
  /** Read before each run: an older release, or a hand in the database, may have written something else. */
  payload: z.ZodType<Payload>
  /** When it comes by itself, with an empty payload. */
  clock?: Clock
  /** Runs at the same time in one process; of one lane there is one at a time in the whole installation. */
  atOnce: number
  /** How often a failed run is tried again, with growing pauses. */
  retries: number
  /** Seconds after which a run that gave no answer counts as failed. */
  expireSeconds: number
}

export interface Run {
  /** The uuid of the work. */
  work: string
  /** Ends when the work is cancelled, takes too long, is given to another process, or this process stops. */
  signal: AbortSignal
}

export type Tell = (services: Pick<Services, 'jobs'>) => void

export interface JobActs<Payload extends object> {
  run: (services: Services, payload: Payload, run: Run) => Promise<void>
  /** In the transaction that ends work undone: cancelled, or failed for good. Gives what to tell after the commit. */
  giveUp?: (tx: Tx, payload: Payload, work: string, fault: WorkFault) => Promise<Tell | undefined>
  /**
   * In place of a cancellation by one of several people who asked for the work: takes that person out, and gives one of the
   * others, whose work it is then. Undefined where nobody else asked.
   */
  withdraw?: (tx: Tx, payload: Payload, userUuid: string) => Promise<string | undefined>
}

/** A declared job with its acts. */
export type Job = DeclaredJob & JobActs<object>

/** Joins a declaration with what is done. */
export function makeJob<Payload extends object>(declared: DeclaredJob<Payload>, acts: JobActs<Payload>): Job {
  // the payload that an act is given was read by this declaration's own schema
  return { ...declared, ...acts } as unknown as Job
}
