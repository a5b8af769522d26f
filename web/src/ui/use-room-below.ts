import { type RefObject, useLayoutEffect } from 'react'

/** Kept free below the element, px. */
const margin = 12

/**
 * Tells an element that hangs below another one, by `--room`, how high it may be for its end to be in sight: what
 * stands above it wraps in small and zoomed windows.
 */
export function useRoomBelow(hanging: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = hanging.current
    if (!element) return
    const measure = () => {
      const room = window.innerHeight - element.getBoundingClientRect().top - margin
      element.style.setProperty('--room', `${room}px`)
    }
    const sizes = new ResizeObserver(measure)
    sizes.observe(document.documentElement)
    if (element.offsetParent) sizes.observe(element.offsetParent)
    measure()
    return () => sizes.disconnect()
  }, [hanging])
}
