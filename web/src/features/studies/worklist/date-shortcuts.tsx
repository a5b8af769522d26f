import { NativeSelect } from '@mantine/core'
import type { DateRange } from '../../../format/date-range.ts'
import { t } from '../../../labels/label.ts'
import { IconSelector } from '../../../ui/icons.ts'
import style from '../narrowing.module.css'

/** Ranges that a worklist is read by; all others are in Advanced search. */
const shortcuts = ['all', 'today', 'todayAndYesterday', 'last3BusinessDays', 'last7Days', 'last31Days'] as const

interface DateShortcutsProps {
  value: DateRange
  onChange: (range: DateRange) => void
}

/** Whether the list says by itself which days it shows; other days are a chip of the search. */
export const isDateShortcut = ({ preset }: DateRange): boolean => shortcuts.some((one) => one === preset)

/** The range in words where it narrows the list and is no chip of the search. */
export const shortcutText = (range: DateRange): string =>
  range.preset !== 'all' && isDateShortcut(range) ? t(`range.${range.preset}`) : ''

/** Narrows the worklist by the date of the exam. */
export function DateShortcuts({ value, onChange }: DateShortcutsProps) {
  const other = isDateShortcut(value) ? [] : [{ value: value.preset, label: t(`range.${value.preset}`) }]
  return (
    <NativeSelect
      classNames={{ input: style.select }}
      data-narrows={value.preset !== 'all' || undefined}
      aria-label={t('grid.studyDate')}
      rightSection={<IconSelector size={14} />}
      data={[
        ...shortcuts.map((preset) => ({
          value: preset as string,
          label: preset === 'all' ? t('grid.anyDate') : t(`range.${preset}`),
        })),
        ...other,
      ]}
      value={value.preset}
      onChange={(event) => {
        const preset = shortcuts.find((one) => one === event.currentTarget.value)
        if (preset) onChange({ preset })
      }}
    />
  )
}
