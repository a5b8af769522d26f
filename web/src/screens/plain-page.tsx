import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { t } from '../labels/label.ts'
import { Logo } from '../ui/logo.tsx'
import style from './screens.module.css'

interface PlainPageProps {
  /** A notice is a few words in the middle of the window; of sided text the first element stands beside the rest. */
  kind?: 'notice' | 'sided'
  /** A link at the end of the head. */
  way?: ReactNode
  children: ReactNode
}

/** A page of text, for whoever comes, signed in or not. */
export function PlainPage({ kind, way, children }: PlainPageProps) {
  return (
    <div className={style.plainPage}>
      <header className={style.plainHead}>
        <Link to="/" className={style.brand}>
          <Logo />
          {t('app.name')}
        </Link>
        {way}
      </header>
      <main className={style.plain} data-kind={kind}>
        {children}
      </main>
    </div>
  )
}
