import type { KeyboardEvent } from 'react'

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** How far a key moves in the list while the focus is in it: down and up by arrow, to its ends by Home and End. */
export function stepOf(event: Key): number {
  if (event.ctrlKey || event.metaKey || event.altKey) return 0
  const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }
  return steps[event.key] ?? 0
}

/** The card that many steps from the focused one, kept within the list; undefined when focus is not on a card. */
export function neighbourCard(list: HTMLElement, step: number): HTMLElement | undefined {
  const cards = [...list.querySelectorAll<HTMLElement>('[data-card]')]
  const at = cards.findIndex((card) => card === document.activeElement)
  if (at < 0) return undefined
  return cards[Math.min(cards.length - 1, Math.max(0, at + step))]
}

/** Where J and K go: on from the focused card; from elsewhere to the selected one, else to the first. */
export function cardFrom(list: HTMLElement, step: number): HTMLElement | undefined {
  return (
    neighbourCard(list, step) ??
    list.querySelector<HTMLElement>('[data-card][aria-current]') ??
    list.querySelector<HTMLElement>('[data-card]') ??
    undefined
  )
}

/** Puts the focus back on a study's card, e.g. when its panel was closed. */
export function focusCard(uuid: string): void {
  document.querySelector<HTMLElement>(`[data-card="${CSS.escape(uuid)}"]`)?.focus()
}

/** Moves the focus into the panel of the selected study: to its chosen tab. */
export function focusPanel(): void {
  document.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus()
}

/** Opens the tab before or after the chosen one. */
export function stepTab(step: 1 | -1): void {
  const tabs = [...document.querySelectorAll<HTMLElement>('[role="tab"]')]
  const at = tabs.findIndex((tab) => tab.ariaSelected === 'true' || tab.getAttribute('aria-selected') === 'true')
  const next = at < 0 ? undefined : tabs[at + step]
  next?.focus()
  next?.click()
}
