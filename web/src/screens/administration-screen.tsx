import { Link, Outlet } from '@tanstack/react-router'
import { PageFrame } from '../features/shell/page-frame.tsx'
import { t } from '../labels/label.ts'
import { useIsAdministrator, useMay } from '../session/use-may.ts'
import { Banner } from '../ui/banner.tsx'
import style from './screens.module.css'

const ofUsers = [{ to: '/administration/users', name: 'users.title' }] as const
const ofGroups = [{ to: '/administration/groups', name: 'groups.title' }] as const
const ofLocations = [{ to: '/administration/locations', name: 'locations.title' }] as const
const ofRoles = [{ to: '/administration/roles', name: 'roles.title' }] as const
const ofRoutes = [{ to: '/administration/routing-rules', name: 'routing.title' }] as const
const ofWebhooks = [{ to: '/administration/webhooks', name: 'webhooks.title' }] as const
const ofDestinations = [{ to: '/administration/destinations', name: 'destinations.title' }] as const
const ofConnections = [
  { to: '/administration/connections', name: 'connections.title' },
  { to: '/administration/outside', name: 'outside.title' },
] as const
const ofSettings = [
  { to: '/administration', name: 'firstSteps.title' },
  { to: '/administration/organisation', name: 'organisation.title' },
  { to: '/administration/security', name: 'security.title' },
] as const
const ofRetention = [{ to: '/administration/retention', name: 'retention.title' }] as const
const ofSignIn = [{ to: '/administration/sign-in', name: 'provider.title' }] as const
const ofFields = [{ to: '/administration/custom-fields', name: 'customFields.title' }] as const
const ofAudit = [{ to: '/administration/audit', name: 'audit.title' }] as const
const ofActivity = [
  { to: '/administration/refused', name: 'refused.title' },
  { to: '/administration/outbox', name: 'admin.outbox' },
  { to: '/administration/work', name: 'jobs.title' },
] as const

export function AdministrationScreen() {
  const isAdministrator = useIsAdministrator()
  const parts = usePages().filter(({ pages }) => pages.length > 0)
  return (
    <PageFrame isBroad>
      <h1>{t('admin.title')}</h1>
      {isAdministrator ? (
        <>
          <p>{t('admin.lead')}</p>
          {parts.length > 0 && (
            <nav aria-label={t('admin.nav')} className={style.parts}>
              {parts.map(({ part, pages }) => (
                <div key={part} role="group" aria-labelledby={`admin-${part}`} className={style.part}>
                  <span id={`admin-${part}`}>{t(`admin.part.${part}`)}</span>
                  <div className={style.pages}>
                    {pages.map(({ to, name }) => (
                      <Link key={to} to={to} activeOptions={{ exact: to === '/administration' }} className={style.page}>
                        {t(name)}
                      </Link>
                    ))}
                  </div>
                </div>
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

/** ADMIN-USERS-02: only the pages that the person may open, by what they are about. */
function usePages() {
  const isAdministrator = useIsAdministrator()
  const mayUsers = useMay('administerUsers')
  const mayGroups = useMay('administerGroups')
  const mayLocations = useMay('administerLocations')
  const mayRoles = useMay('seeRoles')
  const mayRoutes = useMay('administerRoutes')
  const mayWebhooks = useMay('administerWebhooks')
  const mayAccount = useMay('administerAccount')
  const maySignIn = useMay('administerSignIn')
  const mayFields = [useMay('seeCustomFields'), useMay('editCustomFields')].every(Boolean)
  const mayRetention = useMay('seeRetention')
  const mayAudit = useMay('seeAudit')
  const mayDestinations = useMay('administerDestinations')
  return [
    {
      part: 'people',
      pages: [
        ...(mayUsers ? ofUsers : []),
        ...(mayGroups ? ofGroups : []),
        ...(mayLocations ? ofLocations : []),
        ...(isAdministrator && mayRoles ? ofRoles : []),
      ],
    },
    {
      part: 'exchange',
      pages: [
        ...(mayRoutes ? ofRoutes : []),
        ...(mayWebhooks ? ofWebhooks : []),
        ...(mayDestinations ? ofDestinations : []),
        ...(mayAccount ? ofConnections : []),
      ],
    },
    {
      part: 'settings',
      pages: [
        ...(mayAccount ? ofSettings : []),
        ...(mayRetention ? ofRetention : []),
        ...(maySignIn ? ofSignIn : []),
        ...(isAdministrator && mayFields ? ofFields : []),
      ],
    },
    { part: 'activity', pages: [...(mayAudit ? ofAudit : []), ...(mayAccount ? ofActivity : [])] },
  ] as const
}
