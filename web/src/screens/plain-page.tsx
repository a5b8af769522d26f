import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { t } from '../labels/label.ts'
import { Logo } from '../ui/logo.tsx'
import style from './screens.module.css'

/**
 * A page of text, for whoever comes, signed in or not.
 * @param props.isNotice a few words in the middle of the window, instead of a text from its top
 */
export function PlainPage({ isNotice, children }: { isNotice?: boolean; children: ReactNode }) {
  return (
    <div className={style.plainPage}>
      <header className={style.plainHead}>
        <Link to="/" className={style.brand}>
          <Logo />
          {t('app.name')}
        </Link>
      </header>
      <main className={style.plain} data-kind={isNotice ? 'notice' : undefined}>
        {children}
      </main>
    </div>
  )
}
