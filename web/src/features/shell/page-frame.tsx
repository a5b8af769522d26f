import type { ReactNode } from 'react'
import { t } from '../../labels/label.ts'
import { Header } from './header.tsx'
import style from './shell.module.css'

/** The frame of pages without the left navigation: header above, one sheet below. */
export function PageFrame({ children }: { children: ReactNode }) {
  return (
    <>
      <a className={style.skip} href="#main">
        {t('app.skip')}
      </a>
      <header className={`${style.header} ${style.frameHeader}`}>
        <Header />
      </header>
      <main id="main" tabIndex={-1} className={style.sheet}>
        {children}
      </main>
    </>
  )
}
