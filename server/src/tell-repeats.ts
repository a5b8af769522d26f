const windowMs = 60_000

interface Repeats {
  /** Since the last line. */
  count: number
  /** Writes the line of the last one, with how many there were. */
  tell: (count: number) => void
  timer: NodeJS.Timeout | undefined
}

/** Tells of an event; `key` says which events are the same. */
export type TellRepeats = (key: string, tell: (count: number) => void) => void

/** Makes one that tells the first of equal events at once, and those behind it once a minute with their number. */
export function createRepeats(): TellRepeats {
  const all = new Map<string, Repeats>()
  return (key, tell) => {
    const one = all.get(key) ?? { count: 0, tell, timer: undefined }
    all.set(key, one)
    one.count += 1
    one.tell = tell
    if (one.timer) return
    const next = () => {
      if (one.count === 0) {
        all.delete(key)
        return
      }
      one.tell(one.count)
      one.count = 0
      one.timer = setTimeout(next, windowMs).unref()
    }
    next()
  }
}
