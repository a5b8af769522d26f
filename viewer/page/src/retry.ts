const FIRST_MS = 3000
const LONGEST_MS = 60_000

/** Another try of something that failed, after a pause that grows with each failure. */
type Retry = { later: () => void; end: () => void }

export function createRetry(act: () => void): Retry {
  let timer: ReturnType<typeof setTimeout> | undefined
  let pauseMs = FIRST_MS
  return {
    later: () => {
      clearTimeout(timer)
      timer = setTimeout(act, pauseMs)
      pauseMs = Math.min(LONGEST_MS, pauseMs * 2)
    },
    end: () => {
      clearTimeout(timer)
      pauseMs = FIRST_MS
    },
  }
}
