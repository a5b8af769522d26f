import type { StackView } from './stack-view-options.ts'

type Step = (view: StackView) => void

const KEYS: Readonly<Record<string, Step>> = {
  ArrowUp: (view) => view.step(-1),
  ArrowLeft: (view) => view.step(-1),
  ArrowDown: (view) => view.step(1),
  ArrowRight: (view) => view.step(1),
  PageUp: (view) => view.leap(-1),
  PageDown: (view) => view.leap(1),
  Home: (view) => view.goTo(0),
  End: (view) => view.goTo(Number.MAX_SAFE_INTEGER),
  '+': (view) => view.zoomBy(1.2),
  '=': (view) => view.zoomBy(1.2),
  '-': (view) => view.zoomBy(1 / 1.2),
  ' ': (view) => view.togglePlay(),
  i: (view) => view.invert(),
  r: (view) => view.reset(),
}

type KeyHandlers = {
  onEscape: () => void
  onTexts: () => void
  onKeyOnly: () => void
  onMeasure: () => void
  onTakeOff: () => void
  /** Has each key first that no control needs. @returns whether the key is done with */
  onKey: (event: KeyboardEvent) => boolean
}

/** Keys work wherever the focus is, except where a control needs them itself. */
export function listenToKeys(view: () => StackView | undefined, handlers: KeyHandlers): void {
  const handleKey = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const target = event.target instanceof HTMLElement ? event.target : undefined
    if (!target?.matches('select, input') && handlers.onKey(event)) return event.preventDefault()
    if (event.key === 'Escape') return handlers.onEscape()
    if (target?.matches('select, input') || target?.closest('.sheet')) return
    if (event.key === ' ' && target?.matches('button')) return
    if (event.key === 't') return handlers.onTexts()
    if (event.key === 'k') return handlers.onKeyOnly()
    if (event.key === 'm') return handlers.onMeasure()
    if (event.key === 'Delete' || event.key === 'Backspace') return handlers.onTakeOff()
    const act = KEYS[event.key]
    const shown = view()
    if (act === undefined || shown === undefined) return
    event.preventDefault()
    act(shown)
  }
  // On the way down: the drawing library keeps every key that reaches its element, Tab among them.
  window.addEventListener('keydown', handleKey, { capture: true })
}

const PIXELS_PER_IMAGE = 60

/** A wheel with notches moves one image a notch; a touchpad's many small deltas are added up. */
export function listenToWheel(host: HTMLElement, view: () => StackView | undefined): void {
  let gathered = 0
  host.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      event.stopPropagation()
      const delta = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY : event.deltaY * PIXELS_PER_IMAGE
      gathered = Math.sign(delta) === Math.sign(gathered) ? gathered + delta : delta
      const steps = Math.trunc(gathered / PIXELS_PER_IMAGE)
      if (steps === 0) return
      gathered -= steps * PIXELS_PER_IMAGE
      view()?.step(Math.abs(delta) >= PIXELS_PER_IMAGE ? Math.sign(steps) : steps)
    },
    { passive: false, capture: true },
  )
}
