import { Link, Outlet } from '@tanstack/react-router'
import { PageFrame } from '../features/shell/page-frame.tsx'
import { t } from '../labels/label.ts'
import { useIsAdministrator, useMay } from '../session/use-may.ts'
import { Banner } from '../ui/banner.tsx'
import style from './screens.module.css'

const ofUsers = [{ to: '/administration/users', name: 'users.title' }] as const
const ofAccount = [
  { to: '/administration/outbox', name: 'admin.outbox' },
  { to: '/administration/refused', name: 'refused.title' },
  { to: '/administration/work', name: 'jobs.title' },
] as const

export function AdministrationScreen() {
  const isAdministrator = useIsAdministrator()
  const mayUsers = useMay('administerUsers')
  const mayAccount = useMay('administerAccount')
  // ADMIN-USERS-02: only the pages that the person may open
  const pages = [...(mayUsers ? ofUsers : []), ...(mayAccount ? ofAccount : [])]
  return (
    <PageFrame>
      <h1>{t('admin.title')}</h1>
      {isAdministrator ? (
        <>
          <p>{t('admin.lead')}</p>
          {pages.length > 0 && (
            <nav aria-label={t('admin.nav')} className={style.pages}>
              {pages.map(({ to, name }) => (
                <Link key={to} to={to} className={style.page}>
                  {t(name)}
                </Link>
              ))}
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
