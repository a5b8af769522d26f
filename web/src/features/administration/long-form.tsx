import { type ComponentProps, useLayoutEffect, useRef, useState } from 'react'
import { t } from '../../labels/label.ts'
import style from './long-form.module.css'

/** A long form of a dialog; beside it, where there is room, the names of its parts (its fieldsets), which lead there. */
export function LongForm({ children, ...form }: Omit<ComponentProps<'form'>, 'ref'>) {
  const shown = useRef<HTMLFormElement>(null)
  const parts = usePartNames(shown)
  const handleChoose = (at: number) => {
    const part = partsIn(shown.current)[at]
    part?.scrollIntoView({ block: 'start' })
    part?.querySelector<HTMLElement>('input, select, textarea, button')?.focus({ preventScroll: true })
  }
  return (
    <div className={style.long}>
      <nav className={style.parts} aria-label={t('groups.formParts')}>
        {parts.map((name, at) => (
          // two parts may have one name
          <button key={`${at} ${name}`} type="button" onClick={() => handleChoose(at)}>
            {name}
          </button>
        ))}
      </nav>
      <form {...form} ref={shown}>
        {children}
      </form>
    </div>
  )
}

/** Names of the parts as they stand on the screen: which of them are there depends on what is chosen, and on answers. */
function usePartNames(form: { readonly current: HTMLFormElement | null }): readonly string[] {
  const [names, setNames] = useState<readonly string[]>([])
  useLayoutEffect(() => {
    const shown = form.current
    if (!shown) return
    const read = () => {
      const found = partsIn(shown).map((part) => part.querySelector('legend')?.textContent ?? '')
      setNames((before) => (before.join('\n') === found.join('\n') ? before : found))
    }
    const watching = new MutationObserver(read)
    watching.observe(shown, { childList: true, subtree: true })
    read()
    return () => watching.disconnect()
  }, [form])
  return names
}

function partsIn(form: HTMLFormElement | null): Element[] {
  return [...(form?.children ?? [])].filter(({ firstElementChild: first }) => first?.tagName === 'LEGEND')
}
