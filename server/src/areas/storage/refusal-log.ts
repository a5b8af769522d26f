import type { Log } from '../../log.ts'

const windowMs = 60_000

interface Refusals {
  /** Since the last line. */
  count: number
  timer: NodeJS.Timeout | undefined
}
const refusals = new WeakMap<Log, Map<string, Refusals>>()

/** Logs why uploads are refused: the first at once, those behind it once a minute with their number. */
export function logRefusal(log: Log, reason: string): void {
  const all = refusals.get(log) ?? new Map<string, Refusals>()
  refusals.set(log, all)
  const one = all.get(reason) ?? { count: 0, timer: undefined }
  all.set(reason, one)
  one.count += 1
  if (one.timer) return
  const tell = () => {
    if (one.count === 0) {
      all.delete(reason)
      return
    }
    log.error({ event: 'uploads refused', reason, count: one.count })
    one.count = 0
    one.timer = setTimeout(tell, windowMs).unref()
  }
  tell()
}
