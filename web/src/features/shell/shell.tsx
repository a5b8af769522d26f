import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { t } from '../../labels/label.ts'
import { Header } from './header.tsx'
import { InstallationBanner } from './installation-banner.tsx'
import { LeftNav } from './left-nav.tsx'
import { Notices } from './notices.tsx'
import style from './shell.module.css'

const burgerId = 'show-navigation'
/** Controls that close the drawer: all but those that unfold a group. */
const choices = 'a, button:not([aria-expanded])'

/** The dashboard's frame (SHELL-02): header, left navigation, and the content beside it. Where it is narrow, the navigation is a drawer. */
export function Shell({ children }: { children: ReactNode }) {
  const [isNavOpen, setIsNavOpen] = useState(false)
  const nav = useRef<HTMLElement>(null)
  const handleToggle = () => {
    setIsNavOpen(!isNavOpen)
    // The drawer is drawn by then, and only then can its first control take the focus.
    if (!isNavOpen) requestAnimationFrame(() => nav.current?.querySelector<HTMLElement>('a, button')?.focus())
  }
  const handleClose = () => {
    setIsNavOpen(false)
    document.getElementById(burgerId)?.focus()
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isNavOpen) return
    event.stopPropagation()
    handleClose()
  }
  return (
    <div className={style.shell} data-nav={isNavOpen ? 'open' : undefined}>
      <a className={style.skip} href="#main">
        {t('app.skip')}
      </a>
      <header className={style.header}>
        <Header burgerId={burgerId} isNavOpen={isNavOpen} onToggleNav={handleToggle} />
      </header>
      <InstallationBanner />
      <nav
        ref={nav}
        className={style.nav}
        aria-label={t('nav.label')}
        onClick={(event) => event.target instanceof Element && event.target.closest(choices) && setIsNavOpen(false)}
        onKeyDown={handleKeyDown}
      >
        <LeftNav />
      </nav>
      {isNavOpen && (
        <button type="button" className={style.scrim} aria-label={t('nav.close')} tabIndex={-1} onClick={handleClose} />
      )}
      <main className={style.main} id="main" tabIndex={-1}>
        {children}
      </main>
      <Notices />
    </div>
  )
}
