import '@mantine/dates/styles.layer.css'
import { Button } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { useState } from 'react'
import { addDays, type DateRange } from '../../format/date-range.ts'
import { type DateFormat, formatDate } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'
import style from './date-range.module.css'

interface DateRangeCalendarProps {
  value: DateRange
  today: string
  dateFormat: DateFormat
  onCancel: () => void
  onSave: (range: DateRange) => void
}

/** Two months beside each other, weeks from Monday; nothing counts until Save (SEARCH-15). */
export function DateRangeCalendar({ value, today, dateFormat, onCancel, onSave }: DateRangeCalendarProps) {
  const before: [string | null, string | null] = value.preset === 'custom' ? [value.from, value.to] : [null, null]
  const [[from, to], setDays] = useState(before)
  return (
    <div className={style.calendar}>
      <DatePicker
        type="range"
        numberOfColumns={2}
        firstDayOfWeek={1}
        allowSingleDateInRange
        highlightToday
        maxDate={today}
        defaultDate={from ?? addDays(`${today.slice(0, 8)}01`, -1)}
        value={[from, to]}
        onChange={setDays}
        size="xs"
        ariaLabels={{
          nextMonth: t('range.nextMonth'),
          previousMonth: t('range.previousMonth'),
          nextYear: t('range.nextYear'),
          previousYear: t('range.previousYear'),
          nextDecade: t('range.nextDecade'),
          previousDecade: t('range.previousDecade'),
        }}
      />
      <div className={style.foot}>
        <span role="status" className={style.days}>
          {from && t('range.days', { from: formatDate(from, dateFormat), to: to ? formatDate(to, dateFormat) : '…' })}
        </span>
        <Button variant="default" onClick={onCancel}>
          {t('button.cancel')}
        </Button>
        <Button disabled={!from || !to} onClick={() => from && to && onSave({ preset: 'custom', from, to })}>
          {t('button.save')}
        </Button>
      </div>
    </div>
  )
}
