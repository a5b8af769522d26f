import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { PageFrame } from '../features/shell/page-frame.tsx'
import { t } from '../labels/label.ts'
import style from './screens.module.css'

const pages = [
  { to: '/account-settings', name: 'profile.title' },
  { to: '/account-settings/password', name: 'password.title' },
  { to: '/account-settings/notifications', name: 'notify.title' },
  { to: '/account-settings/appearance', name: 'appearance.title' },
  { to: '/account-settings/two-factor', name: 'pin.title' },
  { to: '/account-settings/sign-in', name: 'ownIdentities.title' },
  { to: '/account-settings/sessions', name: 'sessions.title' },
  { to: '/account-settings/keys', name: 'programKeys.title' },
  { to: '/account-settings/outside', name: 'outside.title' },
] as const

/** Pages about the person who is signed in (ROUTE-07). */
export function AccountSettingsScreen() {
  // the one page of them that is a table
  const isBroad = useLocation({ select: ({ pathname }) => pathname.endsWith('/outside') })
  return (
    <PageFrame isBroad={isBroad}>
      <h1>{t('settings.title')}</h1>
      <nav aria-label={t('settings.nav')} className={style.pages}>
        {pages.map(({ to, name }) => (
          <Link key={to} to={to} activeOptions={{ exact: true }} className={style.page}>
            {t(name)}
          </Link>
        ))}
      </nav>
      <Outlet />
    </PageFrame>
  )
}
