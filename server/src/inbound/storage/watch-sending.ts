import type { FastifyRequest } from 'fastify'
import type { JobFeed, JobState } from '../../areas/event/job-feed.ts'

/** Looks on while the bytes from `start` up to `end` of a file of `total` bytes go out. */
export type SendingWatch = (
  body: AsyncGenerator<Uint8Array>,
  range: { start: number; end: number; total: number },
) => AsyncGenerator<Uint8Array>

const progressMs = 1000

/** The job that a request names (`api-facts` §4); in the address where, as in a frame, there are no headers to set. */
export function jobIdOf(request: FastifyRequest): string | undefined {
  const { job_id: inAddress } = request.query as { job_id?: unknown }
  const named = request.headers['x-ambrahealth-job-id'] ?? inAddress
  return typeof named === 'string' && /^[\w-]{1,64}$/.test(named) ? named : undefined
}

/** Tells at the beginning, once a second and at the end how far the sending is. */
export function watchSending(jobs: JobFeed, job: Pick<JobState, 'jobId' | 'userUuid' | 'namespaceUuid'>): SendingWatch {
  return async function* (body, { start, end, total }) {
    let sent = start
    let toldAt = performance.now()
    let isSent = false
    const tell = (event: JobState['event']) => jobs.tell({ ...job, event, sent, total })
    tell('PROGRESS')
    try {
      for await (const chunk of body) {
        // its memory may be gone when it has left
        const { length } = chunk
        yield chunk
        sent += length
        const now = performance.now()
        if (now - toldAt < progressMs) continue
        toldAt = now
        tell('PROGRESS')
      }
      isSent = true
    } finally {
      // a part that ends before the file does is followed by others
      tell(isSent ? (end === total ? 'DONE' : 'PROGRESS') : 'BROKEN')
    }
  }
}
