import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Job } from '../../areas/job.ts'
import { enterClockWork, listLostWork, renewWork, type TakenWork, takeWork } from '../../areas/job/work.sql.ts'
import { endLostWork, endUndone, endWell, putBack } from '../../areas/job/end-work.command.ts'
import { nextTime } from '../../areas/job/clock.ts'
import { cancelled, WorkFailure } from '../../areas/job/work-failure.ts'
import { isRolledBack } from '../../db/rolled-back.ts'
import type { Services } from '../../services.ts'

export interface RunnerTimes {
  /** How often it looks for due work, and holds on to what it runs. */
  pollMs: number
  /** A process that has not been heard of for so long has lost its work to the others. */
  leaseSeconds: number
  /** How long a process that stops waits for its runs before it gives them back. */
  patienceMs: number
}

const usualTimes: RunnerTimes = { pollMs: 1_000, leaseSeconds: 30, patienceMs: 10_000 }

export interface WorkRunner {
  /** Stops to take work, waits a little for what runs, and gives the rest back to be done by another process. */
  stop: () => Promise<void>
}

type Running = { taken: TakenWork; job: Job; abort: AbortController; ended: Promise<void> }

/** Does the work that is due, with all other processes that serve the installation. At least once: a run that died is given out again. */
export async function startRunner(
  services: Services,
  jobs: readonly Job[],
  times: Partial<RunnerTimes> = {},
): Promise<WorkRunner> {
  const { db, log } = services
  const { pollMs, leaseSeconds, patienceMs } = { ...usualTimes, ...times }
  const worker = randomUUID()
  const jobOf = new Map(jobs.map((job) => [job.name, job]))
  const running = new Map<string, Running>()
  const stopping = new AbortController()
  for (const { name, clock } of jobs) if (clock) await enterClockWork(db, name, nextTime(clock, new Date()))

  async function look(): Promise<void> {
    if (running.size > 0) await holdOn()
    for (const lost of await listLostWork(db)) await endLostWork(services, jobOf.get(lost.job), lost)
    if (stopping.signal.aborted) return
    for (const taken of await take()) begin(taken)
  }

  /** Renews the leases, and ends the runs that were cancelled or are another process's by now. */
  async function holdOn(): Promise<void> {
    const held = new Map((await renewWork(db, worker, leaseSeconds)).map((one) => [one.uuid, one]))
    for (const [uuid, { taken, abort }] of running) {
      const still = held.get(uuid)
      if (still?.tries !== taken.tries) abort.abort(new WorkFailure('LOST', 'Another process does this by now'))
      else if (still.is_cancelled) abort.abort(new WorkFailure(cancelled.error, cancelled.message, { isFinal: true }))
    }
  }

  async function take(): Promise<TakenWork[]> {
    const busy = Map.groupBy(running.values(), ({ job }) => job.name)
    const room = jobs
      .map(({ name, atOnce }) => ({ job: name, free: atOnce - (busy.get(name)?.length ?? 0) }))
      .filter(({ free }) => free > 0)
    try {
      return await takeWork(db, worker, room, leaseSeconds)
    } catch (error) {
      // another process took from the same lane at the same moment
      if (isRolledBack(error)) return []
      throw error
    }
  }

  function begin(taken: TakenWork): void {
    const job = jobOf.get(taken.job)
    if (!job) return
    const abort = new AbortController()
    const ended = perform(job, taken, abort)
      .catch((error: unknown) =>
        log.error({ event: 'end of work not kept', job: job.name, work: taken.uuid, err: error }),
      )
      .then(() => {
        running.delete(taken.uuid)
        wake()
      })
    running.set(taken.uuid, { taken, job, abort, ended })
  }

  async function perform(job: Job, taken: TakenWork, abort: AbortController): Promise<void> {
    const read = job.payload.safeParse(taken.payload)
    if (!read.success) {
      const fields = [...new Set(read.error.issues.map((issue) => issue.path.join('.') || 'payload'))].join(', ')
      const words = `What was noted for this work cannot be read (${fields}): another release wrote it, or it is damaged`
      return endUndone(services, job, taken, new WorkFailure('BAD_PAYLOAD', words, { isFinal: true }))
    }
    const expiry = setTimeout(
      () => abort.abort(new WorkFailure('TIMED_OUT', `This took longer than ${job.expireSeconds} seconds`)),
      job.expireSeconds * 1000,
    )
    try {
      const run = job.run(services, read.data, { work: taken.uuid, signal: abort.signal })
      // a run that does not listen to its signal goes on by itself; nobody waits for it
      await Promise.race([run, rejection(abort.signal)])
    } catch (error) {
      if (isStopReason(abort.signal.reason)) return putBack(services, taken)
      return endUndone(services, job, taken, error)
    } finally {
      clearTimeout(expiry)
    }
    return endWell(services, job, taken)
  }

  let wake: () => void = () => undefined
  const loop = (async () => {
    let isFailing = false
    while (!stopping.signal.aborted) {
      try {
        await look()
        isFailing = false
      } catch (error) {
        // once for each time that the database is away
        if (!isFailing) log.error({ event: 'work not looked for', err: error })
        isFailing = true
      }
      const woken = new Promise<void>((resolve) => {
        wake = resolve
      })
      await Promise.race([woken, delay(pollMs, undefined, { signal: stopping.signal }).catch(() => undefined)])
    }
  })()

  return {
    stop: async () => {
      stopping.abort()
      await loop
      const ends = () => Promise.all([...running.values()].map(({ ended }) => ended))
      const patience = new AbortController()
      await Promise.race([
        ends().then(() => patience.abort()),
        delay(patienceMs, undefined, { signal: patience.signal }).catch(() => undefined),
      ])
      for (const { abort } of running.values()) abort.abort(new StopReason())
      await ends()
    },
  }
}

class StopReason extends Error {}
function isStopReason(reason: unknown): boolean {
  return reason instanceof StopReason
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}
