import { AppShell } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { t } from '../../labels/label.ts'
import { Header } from './header.tsx'
import { LeftNav } from './left-nav.tsx'
import style from './shell.module.css'

/** The dashboard's frame (SHELL-02): header, left navigation, and the content beside it. */
export function Shell({ children }: { children: ReactNode }) {
  const [isNavOpen, setIsNavOpen] = useState(false)
  return (
    <AppShell
      header={{ height: 46 }}
      navbar={{ width: 179, breakpoint: '48em', collapsed: { mobile: !isNavOpen } }}
      padding={0}
      transitionDuration={0}
    >
      <a className={style.skip} href="#main">
        {t('app.skip')}
      </a>
      <AppShell.Header className={style.header}>
        <Header isNavOpen={isNavOpen} onToggleNav={() => setIsNavOpen(!isNavOpen)} />
      </AppShell.Header>
      <AppShell.Navbar className={style.nav} onClick={() => setIsNavOpen(false)}>
        <LeftNav />
      </AppShell.Navbar>
      <AppShell.Main className={style.main} id="main" tabIndex={-1}>
        {children}
      </AppShell.Main>
    </AppShell>
  )
}
