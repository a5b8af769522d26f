import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../../../labels/label.ts'
import { IconFilter } from '../../../ui/icons.ts'
import style from './grid-filter.module.css'

interface FilterButtonProps {
  /** Id of the filter that the button shows. */
  filter: string
  isShown: boolean
  /** How many filters are in force. */
  count: number
  onToggle: () => void
}

/** The button that shows the filter of a grid, with the number of filters in force. */
export function FilterButton({ filter, isShown, count, onToggle }: FilterButtonProps) {
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconFilter size={15} />}
      aria-expanded={isShown}
      aria-controls={filter}
      onClick={onToggle}
    >
      {count > 0 ? t('users.filterOn', { count }) : t('users.filter')}
    </Button>
  )
}

interface GridFilterProps {
  id: string
  label: string
  onClear: () => void
  children: ReactNode
}

/** The fields by which a grid is narrowed; each change is in force at once. */
export function GridFilter({ id, label, onClear, children }: GridFilterProps) {
  return (
    <form id={id} className={style.filter} aria-label={label} onSubmit={(event) => event.preventDefault()}>
      {children}
      <Button variant="default" onClick={onClear}>
        {t('users.filterClear')}
      </Button>
    </form>
  )
}

/** Properties of the text fields of a filter. */
export function filterTexts<Filters extends Record<string, string>>(
  filters: Filters,
  onChange: (filters: Filters) => void,
) {
  return (field: keyof Filters & string, label: string) => ({
    label,
    value: filters[field],
    maxLength: 200,
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...filters, [field]: event.currentTarget.value }),
  })
}
