import { Link, Outlet } from '@tanstack/react-router'
import { PageFrame } from '../features/shell/page-frame.tsx'
import { t } from '../labels/label.ts'
import { useIsAdministrator } from '../session/use-may.ts'
import { Banner } from '../ui/banner.tsx'
import style from './screens.module.css'

export function AdministrationScreen() {
  const isAdministrator = useIsAdministrator()
  return (
    <PageFrame>
      <h1>{t('admin.title')}</h1>
      {isAdministrator ? (
        <>
          <p>{t('admin.lead')}</p>
          <nav aria-label={t('admin.nav')} className={style.pages}>
            <Link to="/administration/outbox" className={style.link}>
              {t('admin.outbox')}
            </Link>
          </nav>
          <Outlet />
        </>
      ) : (
        <Banner tone="failed">{t('admin.notPermitted')}</Banner>
      )}
    </PageFrame>
  )
}
