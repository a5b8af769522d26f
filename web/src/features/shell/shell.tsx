import { type ReactNode, useState } from 'react'
import { t } from '../../labels/label.ts'
import { Header } from './header.tsx'
import { LeftNav } from './left-nav.tsx'
import style from './shell.module.css'

/** The dashboard's frame (SHELL-02): header, left navigation, and the content beside it. */
export function Shell({ children }: { children: ReactNode }) {
  const [isNavOpen, setIsNavOpen] = useState(false)
  return (
    <div className={style.shell} data-nav={isNavOpen ? 'open' : undefined}>
      <a className={style.skip} href="#main">
        {t('app.skip')}
      </a>
      <header className={style.header}>
        <Header isNavOpen={isNavOpen} onToggleNav={() => setIsNavOpen(!isNavOpen)} />
      </header>
      <nav className={style.nav} aria-label={t('nav.label')} onClickCapture={() => setIsNavOpen(false)}>
        <LeftNav />
      </nav>
      <main className={style.main} id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}
