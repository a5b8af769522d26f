import { Link, Outlet } from '@tanstack/react-router'
import { UndecidedIssuers } from '../features/administration/organisation/undecided-issuers.tsx'
import { PageFrame } from '../features/shell/page-frame.tsx'
import { t } from '../labels/label.ts'
import { useIsAdministrator } from '../session/is-administrator.ts'
import { useAdministrationPages } from '../session/own-pages.ts'
import { Banner } from '../ui/banner.tsx'
import style from './screens.module.css'

export function AdministrationScreen() {
  const isAdministrator = useIsAdministrator()
  const parts = useAdministrationPages().filter(({ pages }) => pages.length > 0)
  return (
    <PageFrame isBroad>
      <h1>{t('admin.title')}</h1>
      {isAdministrator ? (
        <>
          <p>{t('admin.lead')}</p>
          <div className={style.sided} data-size="broad">
            {parts.length > 0 && (
              <nav aria-label={t('admin.nav')} className={style.parts}>
                {parts.map(({ part, pages }) => (
                  <div key={part} role="group" aria-labelledby={`admin-${part}`} className={style.part}>
                    <span id={`admin-${part}`}>{t(`admin.part.${part}`)}</span>
                    <div className={style.pages}>
                      {pages.map(({ to, name }) => (
                        <Link
                          key={to}
                          to={to}
                          activeOptions={{ exact: to === '/administration' }}
                          className={style.page}
                        >
                          {t(name)}
                        </Link>
                      ))}
                    </div>
                  </div>
                ))}
              </nav>
            )}
            <div>
              <UndecidedIssuers />
              <Outlet />
            </div>
          </div>
        </>
      ) : (
        <Banner tone="failed">{t('admin.notPermitted')}</Banner>
      )}
    </PageFrame>
  )
}
