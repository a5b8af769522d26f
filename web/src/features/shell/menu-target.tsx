import { UnstyledButton, type UnstyledButtonProps } from '@mantine/core'
import type { ComponentProps } from 'react'
import { t } from '../../labels/label.ts'
import { useEstablished } from '../../session/session-store.ts'
import { IconChevronDown } from '../../ui/icons.ts'
import style from './shell.module.css'

/** The person's initials: the button of the main menu, before and after the menu itself is loaded. */
export function MenuTarget(props: UnstyledButtonProps & ComponentProps<'button'>) {
  const { user } = useEstablished()
  const initials = `${user.first.charAt(0)}${user.last.charAt(0)}`.toUpperCase() || user.name.charAt(0)
  return (
    <UnstyledButton
      aria-haspopup="menu"
      {...props}
      className={style.button}
      aria-label={`${initials}, ${t('menu.open')}`}
    >
      {initials}
      <IconChevronDown size={14} />
    </UnstyledButton>
  )
}
