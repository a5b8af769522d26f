import { Link, Outlet } from '@tanstack/react-router'
import { PageFrame } from '../features/shell/page-frame.tsx'
import { t } from '../labels/label.ts'
import style from './screens.module.css'

/** Pages about the person who is signed in. */
export function AccountSettingsScreen() {
  return (
    <PageFrame>
      <h1>{t('settings.title')}</h1>
      <nav aria-label={t('settings.nav')} className={style.pages}>
        <Link to="/account-settings" activeOptions={{ exact: true }} className={style.page}>
          {t('settings.login')}
        </Link>
        <Link to="/account-settings/sessions" className={style.page}>
          {t('sessions.title')}
        </Link>
        <Link to="/account-settings/keys" className={style.page}>
          {t('programKeys.title')}
        </Link>
      </nav>
      <Outlet />
    </PageFrame>
  )
}
