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
            {isOfAnybody ? <span>{t('login.lead')}</span> : <OrganisationName />}
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

/** Name, logo and colour of the organisation whose people sign in at this address. The page is whole without them. */
function useOrganisation() {
  return useQuery(offerQuery(vanityOf(location) ?? '', askedProvider(location))).data
}

/** In place of the words about the product, so that nothing moves when it comes. */
function OrganisationName() {
  return <span>{useOrganisation()?.name || t('login.lead')}</span>
}

function OrganisationMark() {
  const data = useOrganisation()
  return (
    <div className={style.organisation}>
      <BrandMark logo={data?.logo} color={data?.color} />
    </div>
  )
}
