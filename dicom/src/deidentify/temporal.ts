import { parseDate, parseDateTime, parseTime } from '../dates.ts'

/** How dates leave: not at all, or all of a patient moved by as many days. */
export type DateRule = { kind: 'removed' } | { kind: 'moved'; days: number }

const DAY_MS = 86_400_000

/** A date moved by some days; undefined for a text that is no whole date. */
function movedDate(text: string, days: number): string | undefined {
  const date = parseDate(text)
  if (!date || date.month === undefined || date.day === undefined) return undefined
  const moved = new Date(0)
  moved.setUTCFullYear(date.year, date.month - 1, date.day)
  const later = new Date(moved.getTime() + days * DAY_MS)
  const year = later.getUTCFullYear()
  if (year < 1 || year > 9999) return undefined
  return later.toISOString().slice(0, 10).replaceAll('-', '')
}

/**
 * The value of a DA, DT or TM moved by whole days: times of day stay, as they tell nobody's day. Undefined where any of
 * the values is not of its form.
 */
export function movedValue(vr: string, texts: readonly string[], days: number): string | undefined {
  const moved = texts.map((text) => movedText(vr, text, days))
  return moved.some((one) => one === undefined) ? undefined : moved.join('\\')
}

function movedText(vr: string, text: string, days: number): string | undefined {
  if (text === '') return ''
  if (vr === 'TM') return parseTime(text) ? text : undefined
  if (vr === 'DA') return movedDate(text, days)
  const date = parseDateTime(text) && movedDate(text.slice(0, 8), days)
  return date && date + text.slice(8)
}

/** Values where a date or time must stand and none is told. */
export const dummyTimes: Readonly<Record<string, string>> = { DA: '19000101', TM: '000000', DT: '19000101000000' }
