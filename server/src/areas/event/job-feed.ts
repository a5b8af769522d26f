/** How far a job of one person is. */
export interface JobState {
  jobId: string
  userUuid: string
  namespaceUuid: string
  event: 'PROGRESS' | 'DONE' | 'BROKEN'
  /** Bytes, from the beginning of the file. */
  sent: number
  total: number
}

export interface JobFeed {
  /** Hears the jobs of one person from now on; returns how to stop. */
  listen: (userUuid: string, hear: (state: JobState) => void) => () => void
  /** Never fails and never waits: who does the job goes on whatever becomes of its listeners. */
  tell: (state: JobState) => void
  /** Where the jobs of a person in a namespace stand, for those who come in the middle or just after the end. */
  current: (userUuid: string, namespaceUuid: string) => JobState[]
}

const rememberedMs = 60_000
const maxRemembered = 10_000

/**
 * Tells how far jobs are. Within this process alone, not through the database as studies' events go: a line each second
 * and download would be written for one reader. Where several processes serve one installation, those who are connected
 * to another one hear nothing, and their downloads come all the same.
 */
export function createJobFeed(): JobFeed {
  const listeners = new Map<string, Set<(state: JobState) => void>>()
  /** The one that was heard of last stands last. */
  const states = new Map<string, { state: JobState; at: number }>()

  function forgetOld(now: number): void {
    for (const [key, { at }] of states) {
      if (states.size <= maxRemembered && now - at < rememberedMs) return
      states.delete(key)
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
    tell: (state) => {
      const now = performance.now()
      const key = `${state.userUuid} ${state.jobId}`
      states.delete(key)
      states.set(key, { state, at: now })
      forgetOld(now)
      for (const hear of listeners.get(state.userUuid) ?? []) {
        try {
          hear(state)
        } catch {
          // a listener's own matter
        }
      }
    },
    current: (userUuid, namespaceUuid) => {
      forgetOld(performance.now())
      return [...states.values()]
        .map(({ state }) => state)
        .filter((state) => state.userUuid === userUuid && state.namespaceUuid === namespaceUuid)
    },
  }
}
