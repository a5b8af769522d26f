import { element } from './element.ts'
import type { KeyedLength } from './measured-lengths.ts'
import { texts } from './texts.ts'

type Point = [number, number]

/** CSS pixels of one press of an arrow key. */
const STEP = 8
const ARROWS: Readonly<Record<string, Point>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
}

type LengthByKeys = {
  /** Shows a cross at the middle of the picture, which the first end is set at. */
  begin: (beginLength: (at: Point) => KeyedLength | undefined) => void
  /** @returns whether the key moved or set an end of the length, or left it */
  take: (event: KeyboardEvent) => boolean
  /** Another image is shown: both ends of a length lie on one. */
  leave: () => void
}

/**
 * A length drawn without a pointer: arrow keys move its ends, Enter sets them, and words over the picture say so.
 * Whatever else somebody does takes a line with one end off.
 */
export function createLengthByKeys(picture: HTMLElement): LengthByKeys {
  const cross = element('div', { class: 'key-cross', 'aria-hidden': 'true' })
  const words = element('p', { class: 'key-words', role: 'status' })
  let at: Point = [0, 0]
  let start: ((at: Point) => KeyedLength | undefined) | undefined
  let line: KeyedLength | undefined
  for (const other of ['pointerdown', 'wheel', 'input'])
    window.addEventListener(other, () => leave(), { capture: true, passive: true })
  picture.append(words)
  new ResizeObserver(() => leave()).observe(picture)

  function begin(beginLength: (at: Point) => KeyedLength | undefined): void {
    leave()
    start = beginLength
    picture.append(cross)
    moveTo([picture.clientWidth / 2, picture.clientHeight / 2])
    words.textContent = texts.lengthFirstEnd
  }

  function moveTo([x, y]: Point): void {
    at = [Math.min(picture.clientWidth, Math.max(0, x)), Math.min(picture.clientHeight, Math.max(0, y))]
    cross.style.translate = `${at[0]}px ${at[1]}px`
    line?.moveEnd(at)
  }

  function setEnd(): void {
    if (line) {
      const drawn = line
      line = undefined
      leave()
      drawn.finish()
      return
    }
    line = start?.(at)
    if (line) words.textContent = texts.lengthSecondEnd
    else leave()
  }

  function leave(): void {
    if (!start) return
    start = undefined
    line?.drop()
    line = undefined
    cross.remove()
    words.textContent = ''
  }

  return {
    begin,
    leave,
    take: ({ key, shiftKey }) => {
      if (!start || key === 'Shift') return false
      const arrow = ARROWS[key]
      const step = shiftKey ? 1 : STEP
      if (arrow) moveTo([at[0] + arrow[0] * step, at[1] + arrow[1] * step])
      else if (key === 'Enter') setEnd()
      else leave()
      // every other key does what it always does
      return arrow !== undefined || key === 'Enter' || key === 'Escape'
    },
  }
}
