import type { ReactNode } from 'react'
import { t } from '../../labels/label.ts'
import { Logo } from '../../ui/logo.tsx'
import style from './link.module.css'

/** The frame of an opened link: the mark, and no way into the product, which is for people with a login. */
export function OpenedPage({ children, scrolls = false }: { children: ReactNode; scrolls?: boolean }) {
  return (
    <main className={style.page} data-scrolls={scrolls || undefined}>
      <div className={style.bar}>
        <Logo />
        {t('app.name')}
      </div>
      {children}
    </main>
  )
}
