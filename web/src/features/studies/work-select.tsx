import { NativeSelect } from '@mantine/core'
import { t } from '../../labels/label.ts'
import { readWorkFilter, type WorkFilter, workFilters } from '../../queries/search-expressions.ts'
import { IconSelector } from '../../ui/icons.ts'
import style from './narrowing.module.css'

interface WorkSelectProps {
  className?: string | undefined
  /** Filter of the search in force. */
  value: string
  onChange: (work: WorkFilter) => void
}

/** Narrows a list by work status. A filter in force is told by colour here, and by no chip of the search. */
export function WorkSelect({ className, value, onChange }: WorkSelectProps) {
  const work = readWorkFilter(value)
  return (
    <NativeSelect
      className={className}
      classNames={{ input: style.select }}
      data-narrows={work !== 'any' || undefined}
      rightSection={<IconSelector size={14} />}
      aria-label={t('list.work')}
      data={workFilters.map((one) => ({ value: one, label: t(`work.${one}`) }))}
      value={work}
      onChange={(event) => onChange(readWorkFilter(event.currentTarget.value))}
    />
  )
}
