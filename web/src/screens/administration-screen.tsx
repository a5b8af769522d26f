import { Link, Outlet } from '@tanstack/react-router'
import { PageFrame } from '../features/shell/page-frame.tsx'
import { t } from '../labels/label.ts'
import { useIsAdministrator, useMay } from '../session/use-may.ts'
import { Banner } from '../ui/banner.tsx'
import style from './screens.module.css'

export function AdministrationScreen() {
  const isAdministrator = useIsAdministrator()
  const mayAccount = useMay('administerAccount')
  return (
    <PageFrame>
      <h1>{t('admin.title')}</h1>
      {isAdministrator ? (
        <>
          <p>{t(mayAccount ? 'admin.lead' : 'admin.noPages')}</p>
          {mayAccount && (
            <nav aria-label={t('admin.nav')} className={style.pages}>
              <Link to="/administration/outbox" className={style.page}>
                {t('admin.outbox')}
              </Link>
              <Link to="/administration/refused" className={style.page}>
                {t('refused.title')}
              </Link>
              <Link to="/administration/work" className={style.page}>
                {t('jobs.title')}
              </Link>
            </nav>
          )}
          <Outlet />
        </>
      ) : (
        <Banner tone="failed">{t('admin.notPermitted')}</Banner>
      )}
    </PageFrame>
  )
}
