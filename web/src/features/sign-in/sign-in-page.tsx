import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { t } from '../../labels/label.ts'
import { offerQuery } from '../../queries/identity.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'
import { Logo } from '../../ui/logo.tsx'
import style from './sign-in.module.css'
import { askedProvider, vanityOf } from '../../session/vanity.ts'

interface SignInPageProps {
  title: string
  /** The page leads into whatever organisation made a link or a code, which need not be that of the host name. */
  isOfAnybody?: boolean
  children: ReactNode
}

/** The frame of the screens before sign-in: the marks, one card, and the purposes that the product does not serve. */
export function SignInPage({ title, isOfAnybody = false, children }: SignInPageProps) {
  return (
    <div className={style.page}>
      <main className={style.card}>
        <div className={style.brand}>
          <Logo size={34} />
          <div>
            <b>{t('app.name')}</b>
            <span>{t('login.lead')}</span>
          </div>
          {!isOfAnybody && <OrganisationMark />}
        </div>
        <h1 className={style.title}>{title}</h1>
        {children}
      </main>
      <footer className={style.foot}>{t('login.purpose')}</footer>
    </div>
  )
}

/** Logo and colour of the organisation whose people sign in at this address. The page is whole without them. */
function OrganisationMark() {
  const vanity = vanityOf(location)
  const { data } = useQuery({ ...offerQuery(vanity ?? '', askedProvider(location)), enabled: vanity !== undefined })
  if (vanity === undefined) return null
  return (
    <div className={style.organisation}>
      <BrandMark logo={data?.logo} color={data?.color} />
    </div>
  )
}
