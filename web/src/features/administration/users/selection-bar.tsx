import { Button } from '@mantine/core'
import { t } from '../../../labels/label.ts'
import type { UserAct } from '../../../queries/account-users.ts'
import style from './users.module.css'

const acts = ['enable', 'disable', 'delete'] as const

interface SelectionBarProps {
  count: number
  onAct: (act: UserAct) => void
  onClear: () => void
}

/** How many users are selected on all pages, and what can be done to them (ADMIN-USERS-06). */
export function SelectionBar({ count, onAct, onClear }: SelectionBarProps) {
  return (
    <div className={style.selection} role="group" aria-label={t('users.bulk')}>
      <span role="status">{t('users.selected', { count })}</span>
      {acts.map((act) => (
        <Button key={act} variant="default" size="compact-sm" onClick={() => onAct(act)}>
          {t(`users.${act}`)}
        </Button>
      ))}
      <Button variant="subtle" size="compact-sm" onClick={onClear}>
        {t('users.clearSelection')}
      </Button>
    </div>
  )
}
