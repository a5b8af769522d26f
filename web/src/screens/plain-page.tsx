import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { t } from '../labels/label.ts'
import { Logo } from '../ui/logo.tsx'
import style from './screens.module.css'

/** A page of text, for whoever comes, signed in or not. */
export function PlainPage({ children }: { children: ReactNode }) {
  return (
    <main className={style.plain}>
      <Link to="/" className={style.brand}>
        <Logo size={26} />
        {t('app.name')}
      </Link>
      {children}
    </main>
  )
}
