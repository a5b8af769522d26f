import type { ReactNode } from 'react'
import { t } from '../../labels/label.ts'
import { Header } from './header.tsx'
import { Notices } from './notices.tsx'
import style from './shell.module.css'

/** The frame of pages without the left navigation: header above, one sheet below, broad where it holds tables, or the whole window. */
export function PageFrame({ isWide, isBroad, children }: { isWide?: boolean; isBroad?: boolean; children: ReactNode }) {
  return (
    <>
      <a className={style.skip} href="#main">
        {t('app.skip')}
      </a>
      <header className={`${style.header} ${style.frameHeader}`}>
        <Header />
      </header>
      <main id="main" tabIndex={-1} className={isWide ? style.window : style.sheet} data-broad={isBroad}>
        {children}
      </main>
      <Notices />
    </>
  )
}
