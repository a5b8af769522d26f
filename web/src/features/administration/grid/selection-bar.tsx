import { Button } from '@mantine/core'
import { t } from '../../../labels/label.ts'
import style from './selection-bar.module.css'

interface SelectionBarProps<Act extends string> {
  /** Says of what the selection is. */
  label: string
  /** How many are selected. */
  text: string
  acts: readonly { act: Act; text: string }[]
  isBusy?: boolean
  onAct: (act: Act) => void
  onClear: () => void
}

/** How many rows are selected on all pages, and what can be done to them (ADMIN-USERS-06). */
export function SelectionBar<Act extends string>(props: SelectionBarProps<Act>) {
  const { label, text, acts, isBusy = false, onAct, onClear } = props
  return (
    <div className={style.selection} role="group" aria-label={label}>
      <span role="status">{text}</span>
      {acts.map((one) => (
        <Button key={one.act} variant="default" size="compact-sm" disabled={isBusy} onClick={() => onAct(one.act)}>
          {one.text}
        </Button>
      ))}
      <Button variant="subtle" size="compact-sm" onClick={onClear}>
        {t('users.clearSelection')}
      </Button>
    </div>
  )
}
