import { linkAdd } from '@hilum/contract/calls/link'
import { destinationSearch } from '@hilum/contract/calls/retrieve'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { t } from '../labels/label.ts'
import { type Inbox, useInboxes } from '../queries/namespaces.ts'
import { useEstablished } from '../session/session-store.ts'
import { inPlace, mayCall } from '../session/use-may.ts'
import { Banner } from '../ui/banner.tsx'
import style from './screens.module.css'

/** Groups named as a way on; more would be a list to search. */
const MOST_WAYS = 3
const screens = {
  retrieve: { to: '/study/retrieve/$groupId', call: destinationSearch },
  request: { to: '/study/request/$groupId', call: inPlace(linkAdd) },
} as const

interface RefusedActProps {
  act: keyof typeof screens
  /** Undefined where the address names a group that the person does not have. */
  inbox: Inbox | undefined
  text: string
}

/** An act that the person may not do in a group (ERROR-12), with the ways on: the groups that grant the act, and back. */
export function RefusedAct({ act, inbox, text }: RefusedActProps) {
  const { account } = useEstablished()
  const open = useInboxes().filter(
    ({ kind, designation, permissions }) =>
      kind === 'group' && designation === 'CLOUD' && mayCall(screens[act].call, permissions),
  )
  return (
    <>
      <Banner tone="failed">{inbox ? text : t('group.notFound')}</Banner>
      <p className={style.afterBanner}>
        {open.length > 0
          ? t(`refused.else.${act}`)
          : t('refused.ask', { account: account.name, act: t(`refused.act.${act}`) })}
      </p>
      <div className={style.ways}>
        {open.slice(0, MOST_WAYS).map(({ id, name }) => (
          <Button
            key={id}
            size="sm"
            renderRoot={(props) => <Link {...props} to={screens[act].to} params={{ groupId: id }} />}
          >
            {name}
          </Button>
        ))}
        {inbox ? (
          <Button
            size="sm"
            variant="default"
            renderRoot={(props) => (
              <Link {...props} to="/group/$groupId/{-$state}" params={{ groupId: inbox.id, state: undefined }} />
            )}
          >
            {t('refused.back', { group: inbox.name })}
          </Button>
        ) : (
          <Button component={Link} to="/group/list" size="sm" variant="default">
            {t('nav.allGroups')}
          </Button>
        )}
      </div>
    </>
  )
}
