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
  let running: Promise<void> = Promise.resolve()
  let isBusy = false
  const timer = setInterval(() => {
    if (isBusy) return
    isBusy = true
    running = runDue(services).finally(() => {
      isBusy = false
    })
  }, tickMs)
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}

async function runDue(services: Services): Promise<void> {
  for (const { name, run } of jobs.ticking) {
    try {
      await run(services)
    } catch (error) {
      services.log.error({ event: 'periodic work failed', work: name, err: error })
    }
  }
}
