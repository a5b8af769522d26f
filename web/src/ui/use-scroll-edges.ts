import { useCallback, useState } from 'react'

/** Ends of a sideways scrolling row that hide something. */
interface ScrollEdges {
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
    // A new element is reported once the frame is laid out; to look right away would lay out the page in the
    // middle of building it, and build it again.
    const sizes = new ResizeObserver(look)
    const content = () => {
      sizes.disconnect()
      for (const one of [element, ...element.children]) sizes.observe(one)
    }
    const children = new MutationObserver(content)
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
