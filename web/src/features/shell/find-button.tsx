import { lazy, Suspense, useEffect, useState } from 'react'
import { t } from '../../labels/label.ts'
import { HeardOnly } from '../../ui/heard-only.tsx'
import { IconSearch } from '../../ui/icons.ts'
import style from './shell.module.css'

const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }))

/** The way to places, searches, recent studies and acts by typing; Ctrl K (on a Mac ⌘ K) opens the same from anywhere. */
export function FindButton() {
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    const heard = (event: KeyboardEvent) => {
      const isAsked = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
      if (!isAsked || event.altKey || event.shiftKey) return
      event.preventDefault() // Chromium would go to its address field
      if (!document.querySelector('dialog[open]')) setIsOpen(true)
    }
    document.addEventListener('keydown', heard)
    return () => document.removeEventListener('keydown', heard)
  }, [])
  return (
    <>
      <button
        type="button"
        className={style.button}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setIsOpen(true)}
      >
        <IconSearch size={16} />
        <HeardOnly>{t('palette.title')}</HeardOnly>
        <span className={style.wide} aria-hidden="true">
          {t('palette.open')}
        </span>
        <kbd className={style.kbd} aria-hidden="true">
          {t('palette.key')}
        </kbd>
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <CommandPalette onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
