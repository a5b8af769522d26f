import type { JobKey, JobProgress } from '../../areas/job/job-feed.ts'
import { storeProgress } from '../../areas/job/track-job.command.ts'
import type { Services } from '../../services.ts'

/** Looks on while bytes of a file go out: from `start` up to `end` of `total`, where these are known. */
export type SendingWatch = (
  body: AsyncGenerator<Uint8Array>,
  range: { start: number; end?: number; total?: number },
) => AsyncGenerator<Uint8Array>

const progressMs = 1000
/** Listeners hear each second; what is stored of the progress, for whoever asks, is this old at most. */
const storedEveryMs = 30_000

/** Tells at the beginning, once a second and at the end how far the sending is. */
export function watchSending(services: Pick<Services, 'db' | 'jobs' | 'log'>, job: JobKey): SendingWatch {
  return async function* (body, { start, end, total }) {
    let sent = start
    let reportedAt = performance.now()
    let storedAt = reportedAt
    let isSent = false
    const progress = (state: JobProgress['state']): JobProgress => ({ ...job, state, sent, total })
    await storeProgress(services, progress('RUNNING'))
    try {
      for await (const chunk of body) {
        // its memory may be gone when it has left
        const { length } = chunk
        yield chunk
        sent += length
        const now = performance.now()
        if (now - reportedAt < progressMs) continue
        reportedAt = now
        if (now - storedAt < storedEveryMs) services.jobs.tell(progress('RUNNING'))
        else {
          storedAt = now
          await storeProgress(services, progress('RUNNING'))
        }
      }
      isSent = true
    } finally {
      // a part that ends before the file does is followed by others
      const isWhole = end === total
      await storeProgress(
        services,
        isSent
          ? progress(isWhole ? 'DONE' : 'RUNNING')
          : { ...progress('ERROR'), error: 'INTERRUPTED', message: 'It was broken off before the end' },
      )
    }
  }
}
