import '@mantine/core/styles/Popover.layer.css'
import { InputBase, Popover } from '@mantine/core'
import { lazy, Suspense, useId, useState } from 'react'
import { type DatePreset, datePresets, type DateRange } from '../../format/date-range.ts'
import type { DateFormat } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import { IconCalendar } from '../../ui/icons.ts'
import { LoadingState } from '../../ui/quiet-state.tsx'
import { rangeText } from './date-range-text.ts'
import style from './date-range.module.css'

// The calendar is the largest part of the search, and most ranges are chosen by name.
const DateRangeCalendar = lazy(async () => ({
  default: (await import('./date-range-calendar.tsx')).DateRangeCalendar,
}))

interface DateRangeFieldProps {
  className?: string
  label: string
  value: DateRange
  /** SEARCH-16: the uploaded picker has no Yesterday. */
  omits?: DatePreset
  today: string
  dateFormat: DateFormat
  onChange: (range: DateRange) => void
}

/** A range of days by name, or by calendar (SEARCH-15). */
export function DateRangeField({ className, label, value, omits, today, dateFormat, onChange }: DateRangeFieldProps) {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const [isCustom, setIsCustom] = useState(false)
  const choose = (range: DateRange) => {
    onChange(range)
    setIsOpen(false)
  }
  const handleToggle = () => {
    setIsCustom(value.preset === 'custom')
    setIsOpen(!isOpen)
  }
  return (
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-start" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <InputBase
          className={className}
          label={label}
          labelProps={{ id: `${id}-label` }}
          aria-labelledby={`${id}-label ${id}-value`}
          component="button"
          type="button"
          pointer
          size="xs"
          rightSection={<IconCalendar size={14} />}
          rightSectionPointerEvents="none"
          onClick={handleToggle}
        >
          <span id={`${id}-value`}>{rangeText(value, dateFormat)}</span>
        </InputBase>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={label}>
        <div className={style.range}>
          <div className={style.presets}>
            {datePresets
              .filter((preset) => preset !== omits)
              .map((preset) => (
                <button
                  key={preset}
                  type="button"
                  aria-pressed={!isCustom && value.preset === preset}
                  onClick={() => choose({ preset })}
                >
                  {t(`range.${preset}`)}
                </button>
              ))}
            <button type="button" aria-pressed={isCustom} onClick={() => setIsCustom(true)}>
              {t('range.custom')}
            </button>
          </div>
          {isCustom && (
            <Suspense fallback={<LoadingState label={t('loading')} />}>
              <DateRangeCalendar
                value={value}
                today={today}
                dateFormat={dateFormat}
                onCancel={() => setIsOpen(false)}
                onSave={choose}
              />
            </Suspense>
          )}
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

/** A range as text: its name, or its days. */
