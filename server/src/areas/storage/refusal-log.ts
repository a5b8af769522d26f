import type { Log } from '../../log.ts'
import { createRepeats, type TellRepeats } from '../../tell-repeats.ts'

const refusals = new WeakMap<Log, TellRepeats>()

/** Logs why uploads are refused: the first at once, those behind it once a minute with their number. */
export function logRefusal(log: Log, reason: string): void {
  const repeats = refusals.get(log) ?? createRepeats()
  refusals.set(log, repeats)
  repeats(reason, (count) => log.error({ event: 'uploads refused', reason, count }))
}
