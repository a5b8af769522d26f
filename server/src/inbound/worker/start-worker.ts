import { jobs, roundsOfEveryProcess, roundsOfWorkers } from '../../areas/jobs.ts'
import type { Services } from '../../services.ts'
import { startRunner } from './run-work.ts'

/** How often a process looks after what is due within seconds: studies gone quiet, mails that wait. */
const tickMs = 5_000

interface Worker {
  stop: () => Promise<void>
}

/**
 * Starts the work of this process that no request waits for: in a worker the jobs, of which the queue gives each to one
 * process; in the others the care of their own disks alone.
 */
export async function startWorker(services: Services): Promise<Worker> {
  const isWorker = services.config.roles.has('worker')
  const runner = isWorker ? await startRunner(services, jobs) : undefined
  const rounds = [...roundsOfEveryProcess, ...(isWorker ? roundsOfWorkers : [])]
  const stops = rounds.map((round) => goRound(services, round))
  return {
    stop: async () => {
      await Promise.all([runner?.stop(), ...stops.map((stop) => stop())])
    },
  }
}

/**
 * Looks after one kind of work again and again, never twice at once. Each by itself: mails that wait for a slow server
 * must not keep studies from being completed.
 */
function goRound(services: Services, { name, run }: (typeof roundsOfWorkers)[number]): () => Promise<void> {
  let running: Promise<void> | undefined
  const look = async () => {
    try {
      await run(services)
    } catch (error) {
      services.log.error({ event: 'periodic work failed', work: name, err: error })
    }
    running = undefined
  }
  const timer = setInterval(() => {
    running ??= look()
  }, tickMs)
  return async () => {
    clearInterval(timer)
    await running
  }
}
