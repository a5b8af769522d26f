import type { DateRange } from '../../format/date-range.ts'
import { type DateFormat, formatDate } from '../../format/dates.ts'
import { t } from '../../labels/label.ts'

/** A range of days in words, or from one day to the other. */
export function rangeText(range: DateRange, dateFormat: DateFormat): string {
  if (range.preset !== 'custom') return t(`range.${range.preset}`)
  return t('range.days', { from: formatDate(range.from, dateFormat), to: formatDate(range.to, dateFormat) })
}
