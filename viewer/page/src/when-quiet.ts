/** Long enough that somebody who goes through images is not held up in between. */
const QUIET_MS = 1000
const LOOK_MS = 200
/** A browser that is loading something may never call itself idle. */
const LATEST_MS = 2000
const ACTS = ['keydown', 'wheel', 'pointerdown', 'pointermove', 'input'] as const

/**
 * Calls back once, when nobody has done anything in this page for a second and nothing runs in it.
 * @returns stops waiting
 */
export function whenQuiet(isBusy: () => boolean, act: () => void): () => void {
  let quietSince = performance.now()
  const note = (event: Event) => {
    // the pointer may rest, or go to a button; with a button of its own pressed it draws
    if (!(event instanceof PointerEvent) || event.buttons > 0) quietSince = performance.now()
  }
  for (const name of ACTS) window.addEventListener(name, note, { capture: true, passive: true })
  const looking = setInterval(() => {
    if (isBusy() || document.hidden) quietSince = performance.now()
    if (performance.now() - quietSince < QUIET_MS) return
    stop()
    // Safari has none
    if ('requestIdleCallback' in window) requestIdleCallback(act, { timeout: LATEST_MS })
    else setTimeout(act)
  }, LOOK_MS)
  function stop(): void {
    clearInterval(looking)
    for (const name of ACTS) window.removeEventListener(name, note, { capture: true })
  }
  return stop
}
