import type { JobState } from '@hilum/contract/calls/job'

/** The key of a job: the id that a person gave it, in a namespace. */
export interface JobKey {
  jobId: string
  userUuid: string
  namespaceUuid: string
}

/** How far a job of one person is. */
export interface JobProgress extends JobKey {
  state: JobState
  /** Of a download bytes from the beginning of the file, of a rendering pages, of anything else requests. */
  sent: number
  /** Absent where it is not known. */
  total?: number | undefined
  /** The failure: a code, and words without patient data. */
  error?: string | undefined
  message?: string | undefined
}

export interface JobFeed {
  /** Hears the jobs of one person from now on; returns how to stop. */
  listen: (userUuid: string, hear: (progress: JobProgress) => void) => () => void
  /** Never fails and never waits: who does the job goes on whatever becomes of its listeners. */
  tell: (progress: JobProgress) => void
  /** Where the jobs of a person in a namespace stand, for those who come in the middle or just after the end. */
  current: (userUuid: string, namespaceUuid: string) => JobProgress[]
}

const rememberedMs = 60_000
const maxRemembered = 10_000

/**
 * Tells how far jobs are. Within this process alone, not through the database as studies' events go: a line each second
 * and download would be written for one reader. Where several processes serve one installation, those who are connected
 * to another one hear nothing, and ask `job/get`, which knows of the jobs of all.
 */
export function createJobFeed(): JobFeed {
  const listeners = new Map<string, Set<(progress: JobProgress) => void>>()
  /** The one that was heard of last stands last. */
  const latestByJob = new Map<string, { progress: JobProgress; at: number }>()

  function forgetOld(now: number): void {
    for (const [key, { at }] of latestByJob) {
      if (latestByJob.size <= maxRemembered && now - at < rememberedMs) return
      latestByJob.delete(key)
    }
  }

  return {
    listen: (userUuid, hear) => {
      const heard = listeners.get(userUuid) ?? new Set()
      listeners.set(userUuid, heard.add(hear))
      return () => {
        heard.delete(hear)
        if (heard.size === 0 && listeners.get(userUuid) === heard) listeners.delete(userUuid)
      }
    },
    tell: (progress) => {
      const now = performance.now()
      const key = `${progress.userUuid} ${progress.namespaceUuid} ${progress.jobId}`
      latestByJob.delete(key)
      latestByJob.set(key, { progress, at: now })
      forgetOld(now)
      for (const hear of listeners.get(progress.userUuid) ?? []) {
        try {
          hear(progress)
        } catch {
          // a listener's own matter
        }
      }
    },
    current: (userUuid, namespaceUuid) => {
      forgetOld(performance.now())
      return [...latestByJob.values()]
        .map(({ progress }) => progress)
        .filter((one) => one.userUuid === userUuid && one.namespaceUuid === namespaceUuid)
    },
  }
}
