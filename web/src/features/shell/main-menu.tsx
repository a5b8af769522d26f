import { orderList } from '@hilum/contract/calls/order'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import { Menu, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { t } from '../../labels/label.ts'
import { chooseAdvanced } from '../../session/advanced-mode.ts'
import { signOut, switchAccount } from '../../session/establish-session.ts'
import { useEstablished } from '../../session/session-store.ts'
import { useHasAdministration, useHasWorklist } from '../../session/own-pages.ts'
import { useMayCall } from '../../session/use-may.ts'
import {
  IconBuilding,
  IconCalendar,
  IconExternalLink,
  IconHelp,
  IconInbox,
  IconLogout,
  IconMoon,
  IconSettings,
  IconSun,
  IconTable,
  IconUserCog,
} from '../../ui/icons.ts'
import { useHelpTopic } from './help-address.ts'
import { MenuTarget } from './menu-target.tsx'

/**
 * The menu itself (SHELL-04), loaded when it is first wanted. The menu opens at once: the click that asked for it is
 * past.
 */
export function MainMenu() {
  const { account, accounts } = useEstablished()
  const navigate = useNavigate()
  const hasAdministration = useHasAdministration()
  const maySeeOrders = useMayCall(orderList)
  const hasWorklist = useHasWorklist()
  const helpTopic = useHelpTopic()
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  const handleSwitch = async (accountUuid: string) => {
    await navigate({ to: '/group/list' })
    await switchAccount(accountUuid)
    // a search of the organisation before, or an exam opened meanwhile, stands in the address
    await navigate({ to: '/group/list', search: {}, replace: true })
  }
  return (
    <Menu defaultOpened position="bottom-end" width={220} withinPortal={false}>
      <Menu.Target>
        <MenuTarget />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconHelp size={16} />} component={Link} to="/help" hash={helpTopic} target="_blank">
          {t('menu.help')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconInbox size={16} />}
          component={Link}
          to="/group/list"
          onClick={() => chooseAdvanced(false)}
        >
          {t('menu.inbox')}
        </Menu.Item>
        <Menu.Item leftSection={<IconSettings size={16} />} component={Link} to="/account-settings">
          {t('menu.account')}
        </Menu.Item>
        <Menu.Item
          leftSection={isDark ? <IconSun size={16} /> : <IconMoon size={16} />}
          onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
        >
          {t(isDark ? 'menu.light' : 'menu.dark')}
        </Menu.Item>
        {hasAdministration && (
          <Menu.Item
            leftSection={<IconUserCog size={16} />}
            rightSection={<IconExternalLink size={13} />}
            component="a"
            href="/administration"
            target="_blank"
            rel="noopener"
          >
            {t('menu.admin')}
          </Menu.Item>
        )}
        {hasWorklist && (
          <Menu.Item
            leftSection={<IconTable size={16} />}
            component={Link}
            to="/worklist"
            onClick={() => chooseAdvanced(true)}
          >
            {t('menu.advanced')}
          </Menu.Item>
        )}
        {maySeeOrders && (
          <Menu.Item leftSection={<IconCalendar size={16} />} component={Link} to="/orders">
            {t('menu.orders')}
          </Menu.Item>
        )}
        {accounts.length > 1 && (
          <>
            <Menu.Divider />
            <Menu.Label>{t('menu.accounts')}</Menu.Label>
            {accounts
              .filter(({ uuid }) => uuid !== account.uuid)
              .map(({ uuid, name }) => (
                <Menu.Item key={uuid} leftSection={<IconBuilding size={16} />} onClick={() => void handleSwitch(uuid)}>
                  {t('menu.switchTo', { account: name })}
                </Menu.Item>
              ))}
          </>
        )}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          {t('menu.logout')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
