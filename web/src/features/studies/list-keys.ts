import type { KeyboardEvent } from 'react'

/** How far a key moves in the list: down and up by arrow or J and K, to its ends by Home and End. */
export function stepOf(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): number {
  if (event.ctrlKey || event.metaKey || event.altKey) return 0
  const steps: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, Home: -Infinity, End: Infinity }
  return steps[event.key] ?? 0
}

/** The card that many steps from the focused one, kept within the list; undefined when focus is not on a card. */
export function neighbourCard(list: HTMLElement, step: number): HTMLElement | undefined {
  const cards = [...list.querySelectorAll<HTMLElement>('[data-card]')]
  const at = cards.findIndex((card) => card === document.activeElement)
  if (at < 0) return undefined
  return cards[Math.min(cards.length - 1, Math.max(0, at + step))]
}
