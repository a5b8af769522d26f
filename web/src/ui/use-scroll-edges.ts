import { useCallback, useState } from 'react'

/** Which ends of a row that scrolls sideways hide something. */
export interface ScrollEdges {
  start: boolean
  end: boolean
}

const none: ScrollEdges = { start: false, end: false }

/** Follows what an element that scrolls sideways hides, so that its ends can say that there is more. */
export function useScrollEdges(): [ScrollEdges, (element: HTMLElement | null) => (() => void) | undefined] {
  const [edges, setEdges] = useState(none)
  const follow = useCallback((element: HTMLElement | null) => {
    if (!element) return undefined
    const look = () => {
      const { scrollLeft, clientWidth, scrollWidth } = element
      // A fraction of a pixel is left over where the screen is zoomed.
      const next = { start: scrollLeft > 1, end: scrollLeft + clientWidth < scrollWidth - 1 }
      setEdges((before) => (before.start === next.start && before.end === next.end ? before : next))
    }
    const sizes = new ResizeObserver(look)
    const content = () => {
      for (const child of element.children) sizes.observe(child)
      look()
    }
    const children = new MutationObserver(content)
    sizes.observe(element)
    children.observe(element, { childList: true })
    content()
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      sizes.disconnect()
      children.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [])
  return [edges, follow]
}
