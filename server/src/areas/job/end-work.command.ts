import { isRolledBack } from '../../db/rolled-back.ts'
import type { Services } from '../../services.ts'
import type { Tx } from '../../db/database.ts'
import type { Job, Tell } from '../job.ts'
import { nextTime } from './clock.ts'
import { cancelled, interrupted, type WorkFault, WorkFailure, workFaultOf } from './work-failure.ts'
import { endRun, type HeldWork, lockRun, type TakenWork, type WorkEnd } from './work.sql.ts'

const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 3_600_000

type Ending = Pick<Services, 'db' | 'jobs' | 'log'>

/** Ends a run that did what it should; what comes by the clock waits for its next time. */
export async function endWell({ db }: Pick<Services, 'db'>, job: Job, taken: TakenWork): Promise<void> {
  const end: WorkEnd =
    taken.by_clock && job.clock
      ? { kind: 'again', runAt: nextTime(job.clock, new Date()), isFresh: true }
      : { kind: 'done' }
  await db.transaction().execute((tx) => endRun(tx, taken, end))
}

/** Ends a run that failed: it is tried again after a pause, or given up with its reason. */
export async function endUndone(services: Ending, job: Job, taken: TakenWork, error: unknown): Promise<void> {
  const fault = workFaultOf(error)
  const isFinal = error instanceof WorkFailure && error.isFinal
  services.log.error({ event: 'job failed', job: job.name, id: taken.uuid, code: fault.error, err: error })
  await end(services, job, taken, fault, isFinal)
}

/** Ends a run whose process is gone. Of a job that this release does not know, another may do it. */
export async function endLostWork(services: Ending, job: Job | undefined, lost: TakenWork): Promise<void> {
  if (!job) return putBack(services, lost)
  services.log.warn({ event: 'job interrupted', job: lost.job, id: lost.uuid })
  await end(services, job, lost, interrupted, false)
}

/** Gives back what a process that stops could not end, as if it had not begun. */
export async function putBack({ db }: Pick<Services, 'db'>, held: HeldWork): Promise<void> {
  await again(() =>
    db.transaction().execute((tx) => endRun(tx, held, { kind: 'again', runAt: new Date(), isFresh: true })),
  )
}

async function end(services: Ending, job: Job, taken: TakenWork, fault: WorkFault, isFinal: boolean): Promise<void> {
  const tell = await again(() =>
    services.db.transaction().execute(async (tx) => {
      const held = await lockRun(tx, taken)
      if (!held) return undefined
      const result = endOf(job, taken, held.is_cancelled ? cancelled : fault, isFinal)
      await endRun(tx, taken, result)
      if (result.kind !== 'failed' && result.kind !== 'cancelled') return undefined
      return giveUp(tx, job, taken, result.fault)
    }),
  )
  tell?.(services)
}

/** Undoes what was begun with the putting off of work that is given up. */
export async function giveUp(
  tx: Tx,
  job: Job,
  { uuid, payload }: Pick<TakenWork, 'uuid' | 'payload'>,
  fault: WorkFault,
): Promise<Tell | undefined> {
  const read = job.payload.safeParse(payload)
  return read.success ? job.giveUp?.(tx, read.data, uuid, fault) : undefined
}

function endOf(job: Job, { tries, by_clock }: TakenWork, fault: WorkFault, isFinal: boolean): WorkEnd {
  if (fault === cancelled) return { kind: 'cancelled', fault }
  if (!isFinal && tries <= job.retries) {
    return { kind: 'again', runAt: new Date(Date.now() + pauseMs(tries)), fault, isFresh: false }
  }
  if (by_clock && job.clock) return { kind: 'again', runAt: nextTime(job.clock, new Date()), fault, isFresh: true }
  return { kind: 'failed', fault }
}

/** Twice as long after each try, with some chance in it, so that what failed together does not come together again. */
function pauseMs(tries: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(tries - 1, 16)) * (0.75 + Math.random() / 2)
}

/** The same may have been put on the queue at that moment. */
async function again<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!isRolledBack(error)) throw error
    return act()
  }
}
