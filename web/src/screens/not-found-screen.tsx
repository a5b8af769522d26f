import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { t } from '../labels/label.ts'
import { namespacesQuery, takesUploads } from '../queries/namespaces.ts'
import { chooseAdvanced } from '../session/advanced-mode.ts'
import { signOut, switchAccount } from '../session/establish-session.ts'
import { useHasAdministration, useHasWorklist } from '../session/own-pages.ts'
import { type Session, useOwnSession } from '../session/session-store.ts'
import { PlainPage } from './plain-page.tsx'
import style from './screens.module.css'

/** ROUTE-10; and where an account without the inbox is led (ROUTE-13), from which there are ways on. */
export function NotFoundScreen() {
  const session = useOwnSession()
  const isNoInbox = useLocation({ select: ({ pathname }) => pathname === '/404' })
  if (isNoInbox && session && session.account.settings['enable_inbox_view'] !== '1')
    return <NoInbox session={session} />
  return (
    <PlainPage kind="notice">
      <h1>{t('notFound.title')}</h1>
      <p>{t('notFound.text')}</p>
      <Button component={Link} to="/" size="sm">
        {t('notFound.home')}
      </Button>
    </PlainPage>
  )
}

/** Every way to an inbox that is off ends here: the page leads to what the person does have. */
function NoInbox({ session: { account, accounts } }: { session: Session }) {
  const hasWorklist = useHasWorklist()
  const hasAdministration = useHasAdministration()
  const { data: places = [] } = useQuery(namespacesQuery(account.uuid))
  const mayUpload = places.some(takesUploads)
  const navigate = useNavigate()
  const handleSwitch = async (uuid: string) => {
    await switchAccount(uuid)
    await navigate({ to: '/', replace: true })
  }
  const others = accounts.filter(({ uuid }) => uuid !== account.uuid)
  return (
    <PlainPage kind="notice">
      <h1>{t('noInbox.title')}</h1>
      <p>{t('noInbox.text', { account: account.name })}</p>
      <div className={style.ways}>
        {hasWorklist && (
          <Button component={Link} to="/worklist" size="sm" onClick={() => chooseAdvanced(true)}>
            {t('menu.advanced')}
          </Button>
        )}
        {mayUpload && (
          <Button component={Link} to="/upload" size="sm" variant={hasWorklist ? 'default' : 'filled'}>
            {t('noInbox.upload')}
          </Button>
        )}
        {hasAdministration && (
          <Button component={Link} to="/administration" size="sm" variant="default">
            {t('menu.admin')}
          </Button>
        )}
        <Button component={Link} to="/account-settings" size="sm" variant="default">
          {t('menu.account')}
        </Button>
        {others.map(({ uuid, name }) => (
          <Button key={uuid} size="sm" variant="default" onClick={() => void handleSwitch(uuid)}>
            {t('menu.switchTo', { account: name })}
          </Button>
        ))}
        <Button size="sm" variant="subtle" color="gray" onClick={() => void signOut()}>
          {t('menu.logout')}
        </Button>
      </div>
    </PlainPage>
  )
}
