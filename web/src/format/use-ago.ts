import { useSyncExternalStore } from 'react'
import { formatAgo } from './dates.ts'

/** How often ages on the screen are reckoned anew. */
const TICK_MS = 10_000

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
/** The moment of the last tick. */
let ticked = 0

/** `formatAgo` of a part of the screen that is drawn anew as time passes: "now", then "2 minutes ago". */
export function useAgo(): (stamp: string | null | undefined) => string {
  const moment = useSyncExternalStore(follow, () => ticked)
  // a stamp may be younger than the last tick
  return (stamp) => formatAgo(stamp, Math.max(moment, Date.now()))
}

function follow(hear: () => void): () => void {
  listeners.add(hear)
  timer ??= setInterval(() => {
    ticked = Date.now()
    for (const tell of listeners) tell()
  }, TICK_MS)
  return () => {
    listeners.delete(hear)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
