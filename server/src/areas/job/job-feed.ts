import { randomUUID } from 'node:crypto'
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
  /** Takes in what the feed of another process handed on; what this one did itself is passed over. */
  takeIn: (handedOn: string) => void
  /** Where the jobs of a person in a namespace stand, for those who come in the middle or just after the end. */
  current: (userUuid: string, namespaceUuid: string) => JobProgress[]
}

const rememberedMs = 60_000
const maxRemembered = 10_000

/**
 * Tells how far jobs are, to the listeners of this process at once, and to those of other processes by `handOn`. Nothing
 * is written for it: a progress that is lost on the way is followed by the next one, and `job/get` knows of all jobs.
 * @param handOn takes a text of a few hundred bytes to all processes, and never fails. Of a job that is told of again
 *   before its turn only the latest progress goes
 */
export function createJobFeed(handOn: (message: string) => Promise<void> = async () => undefined): JobFeed {
  const origin = randomUUID()
  /** By the key of the job: what waits for its turn. */
  const outgoing = new Map<string, JobProgress>()
  let isHandingOn = false
  const listeners = new Map<string, Set<(progress: JobProgress) => void>>()
  /** The one that was heard of last stands last. */
  const latestByJob = new Map<string, { progress: JobProgress; at: number }>()

  function forgetOld(now: number): void {
    for (const [key, { at }] of latestByJob) {
      if (latestByJob.size <= maxRemembered && now - at < rememberedMs) return
      latestByJob.delete(key)
    }
  }

  /** One after the other, so that no process hears of an end before what came before it. */
  async function handOnInTurn(): Promise<void> {
    if (isHandingOn) return
    isHandingOn = true
    for (const [key, progress] of outgoing) {
      outgoing.delete(key)
      await handOn(JSON.stringify({ origin, progress }))
    }
    isHandingOn = false
  }

  function hearAll(progress: JobProgress): string {
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
    return key
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
      outgoing.set(hearAll(progress), progress)
      void handOnInTurn()
    },
    takeIn: (handedOn) => {
      const message = JSON.parse(handedOn) as { origin: string; progress: JobProgress } // written by `tell` of another process
      if (message.origin !== origin) hearAll(message.progress)
    },
    current: (userUuid, namespaceUuid) => {
      forgetOld(performance.now())
      return [...latestByJob.values()]
        .map(({ progress }) => progress)
        .filter((one) => one.userUuid === userUuid && one.namespaceUuid === namespaceUuid)
    },
  }
}
