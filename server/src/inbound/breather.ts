import { setImmediate } from 'node:timers/promises'

/**
 * Lets other requests run between pieces of work that wait for nothing: awaited after each piece, and once such work has
 * taken this long it goes on behind what has come meanwhile.
 */
export function makeBreather(mostMs = 4): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < mostMs) return undefined
    return setImmediate().then(() => {
      since = performance.now()
    })
  }
}
