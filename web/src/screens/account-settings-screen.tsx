import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { PageFrame } from '../features/shell/page-frame.tsx'
import { t } from '../labels/label.ts'
import { accountPages } from '../session/own-pages.ts'
import { OffForSupport } from '../session/off-for-support.tsx'
import style from './screens.module.css'

/** Pages about the person who is signed in (ROUTE-07). */
export function AccountSettingsScreen() {
  const here = useLocation({ select: ({ pathname }) => pathname.replace(/\/$/, '') })
  // the one page of them that is a table
  const isBroad = useLocation({ select: ({ pathname }) => pathname.endsWith('/outside') })
  // the look of the screen changes for the supporter alone
  const isOfBrowser = useLocation({ select: ({ pathname }) => pathname.endsWith('/appearance') })
  // the page of access from outside, which the administration has too, brings its own
  const title = isBroad ? undefined : accountPages.find(({ to }) => to === here)?.name
  return (
    <PageFrame isBroad={isBroad}>
      <h1>{t('settings.title')}</h1>
      <div className={style.sided} data-size="narrow">
        <nav aria-label={t('settings.nav')} className={style.pages}>
          {accountPages.map(({ to, name }) => (
            <Link key={to} to={to} activeOptions={{ exact: true }} className={style.page}>
              {t(name)}
            </Link>
          ))}
        </nav>
        <OffForSupport reason="offForSupport.person" isOpen={isOfBrowser}>
          {title && <h2 className={style.pageTitle}>{t(title)}</h2>}
          <Outlet />
        </OffForSupport>
      </div>
    </PageFrame>
  )
}
