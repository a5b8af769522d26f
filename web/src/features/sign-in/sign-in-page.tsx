import type { ReactNode } from 'react'
import { t } from '../../labels/label.ts'
import { Logo } from '../../ui/logo.tsx'
import style from './sign-in.module.css'

/** The frame of the screens before sign-in: mark, one card, and what the product is not for. */
export function SignInPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={style.page}>
      <main className={style.card}>
        <div className={style.brand}>
          <Logo size={34} />
          <div>
            <b>{t('app.name')}</b>
            <span>{t('login.lead')}</span>
          </div>
        </div>
        <h1 className={style.title}>{title}</h1>
        {children}
      </main>
      <footer className={style.foot}>{t('login.purpose')}</footer>
    </div>
  )
}
