import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { t, tRich } from '../../labels/label.ts'
import { organisationQuery } from '../../queries/account-settings.ts'
import { useEstablished } from '../../session/session-store.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'
import { IconHelp, IconMenu2, IconMoon, IconSun } from '../../ui/icons.ts'
import { Logo } from '../../ui/logo.tsx'
import { FindButton } from './find-button.tsx'
import { useHelpTopic } from './help-address.ts'
import { MainMenuButton } from './main-menu-button.tsx'
import { ProxyMark } from './proxy-mark.tsx'
import style from './shell.module.css'

interface HeaderProps {
  burgerId?: string
  isNavOpen?: boolean
  onToggleNav?: () => void
}

/** User, help, light or dark, and the main menu (SHELL-03, SHELL-04). */
export function Header({ burgerId, isNavOpen, onToggleNav }: HeaderProps) {
  return (
    <>
      {onToggleNav && (
        <ActionIcon
          id={burgerId}
          className={`${style.iconButton} ${style.burger}`}
          aria-label={t('nav.open')}
          aria-expanded={isNavOpen}
          size={30}
          onClick={onToggleNav}
        >
          <IconMenu2 size={18} />
        </ActionIcon>
      )}
      <Link to="/group/list" className={style.brand} aria-label={t('header.home')}>
        <Logo />
        <BrandLogo />
        <span className={style.wide}>{t('app.name')}</span>
      </Link>
      <Welcome />
      <FindButton />
      <Link to="/help" hash={useHelpTopic()} className={style.button} target="_blank" aria-label={t('menu.help')}>
        <IconHelp size={16} />
        <span className={style.wide}>{t('menu.help')}</span>
      </Link>
      <SchemeSwitch />
      <MainMenuButton />
    </>
  )
}

/** The organisation's own logo beside the mark, and its colour below the header. */
function BrandLogo() {
  const { account } = useEstablished()
  const { data } = useQuery(organisationQuery(account.uuid))
  return <BrandMark logo={data?.settings.brand_logo} color={data?.settings.brand_color} />
}

function Welcome() {
  const { user, account, accounts, proxyName } = useEstablished()
  if (proxyName !== undefined) return <ProxyMark supporter={proxyName} />
  const name = <b key="user">{user.name}</b>
  return (
    <div className={style.welcome}>
      {accounts.length > 1
        ? tRich('header.welcomeAccount', { user: name, account: account.name })
        : tRich('header.welcome', { user: name })}
    </div>
  )
}

function SchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  return (
    <ActionIcon
      className={style.iconButton}
      aria-label={t('menu.theme')}
      title={t('menu.theme')}
      size={28}
      onClick={() => setColorScheme(scheme === 'dark' ? 'light' : 'dark')}
    >
      {scheme === 'dark' ? <IconSun size={17} /> : <IconMoon size={17} />}
    </ActionIcon>
  )
}
