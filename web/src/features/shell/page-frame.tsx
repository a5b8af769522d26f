import type { ReactNode } from 'react'
import { t } from '../../labels/label.ts'
import { Header } from './header.tsx'
import { Notices } from './notices.tsx'
import style from './shell.module.css'

/** The frame of pages without the left navigation: header above, one sheet below, or where it is wide the whole window. */
export function PageFrame({ isWide, children }: { isWide?: boolean; children: ReactNode }) {
  return (
    <>
      <a className={style.skip} href="#main">
        {t('app.skip')}
      </a>
      <header className={`${style.header} ${style.frameHeader}`}>
        <Header />
      </header>
      <main id="main" tabIndex={-1} className={isWide ? style.window : style.sheet}>
        {children}
      </main>
      <Notices />
    </>
  )
}
