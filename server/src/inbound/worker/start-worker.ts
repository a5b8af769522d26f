import type { Job } from '../../areas/job.ts'
import { jobs } from '../../areas/jobs.ts'
import type { Services } from '../../services.ts'

/** How often a process looks after what is due within seconds: studies gone quiet, mails that wait. */
const tickMs = 5_000

export interface Worker {
  stop: () => Promise<void>
}

/** Starts to run jobs in this process. Every process may be a worker; the queue gives each entry to one. */
export async function startWorker(services: Services): Promise<Worker> {
  const all: readonly Job<object>[] = jobs.queued
  await services.queue.prepare(all)
  for (const job of all) await services.queue.work(job.name, (payload) => job.run(services, payload))
  const rounds = jobs.ticking.map((work) => goRound(services, work))
  return {
    stop: async () => {
      await Promise.all(rounds.map((stop) => stop()))
    },
  }
}

/**
 * Looks after one kind of work again and again, never twice at once. Each by itself: mails that wait for a slow server
 * must not keep studies from being completed.
 */
function goRound(services: Services, { name, run }: (typeof jobs.ticking)[number]): () => Promise<void> {
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
