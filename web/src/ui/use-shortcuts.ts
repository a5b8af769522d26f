import { useEffect, useEffectEvent } from 'react'

/** Where keys mean what is typed or chosen there. */
const busy =
  'input:not([type="checkbox"]), textarea, select, [contenteditable="true"], [role="dialog"], [role="listbox"], [role="menu"], dialog'

/**
 * Answers single keys wherever the focus is, but in fields, menus and dialogs, and while a dialog is open.
 * @param keys by `KeyboardEvent.key`
 * @param isOn false where the person has switched them off (WCAG 2.1.4)
 */
export function useShortcuts(keys: Readonly<Record<string, (event: KeyboardEvent) => void>>, isOn: boolean): void {
  const answer = useEffectEvent((event: KeyboardEvent) => {
    const handle = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined
    const isTaken = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey
    const isBusy = event.target instanceof Element && event.target.closest(busy) !== null
    if (!handle || isTaken || isBusy || document.querySelector('dialog[open]')) return
    handle(event)
  })
  useEffect(() => {
    if (!isOn) return
    const heard = (event: KeyboardEvent) => answer(event)
    document.addEventListener('keydown', heard)
    return () => document.removeEventListener('keydown', heard)
  }, [isOn])
}
