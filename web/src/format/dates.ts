import { type DateFormat, fillDate, isDay, type ShownFormat } from '@hilum/contract/date-format'

export {
  type DateFormat,
  dateFormats,
  formatDate,
  isDateFormat,
  type ShownFormat,
  writtenFormat,
} from '@hilum/contract/date-format'

/**
 * Reads a date that was typed in the person's format.
 * @param typed in the format, or its digits alone where the year comes first
 * @returns YYYYMMDD; 'shape' when digits or signs stand elsewhere than in the format; 'no-day' for the likes of 30 February
 */
export function readTypedDate(typed: string, format: DateFormat): { day: string } | 'shape' | 'no-day' {
  // number keys of a phone have no hyphen; of digits alone, nobody mistakes a year that comes first
  const isBare = /^\d{8}$/.test(typed.trim()) && format.startsWith('YYYY')
  const written = isBare ? format.replaceAll(/[-/]/g, '') : format
  const shape = written
    .replace('YYYY', '(?<year>\\d{4})')
    .replace('MM', '(?<month>\\d{2})')
    .replace('DD', '(?<date>\\d{2})')
  const { year = '', month = '', date = '' } = new RegExp(`^${shape}$`).exec(typed.trim())?.groups ?? {}
  if (year === '') return 'shape'
  return isDay(year, month, date) ? { day: `${year}${month}${date}` } : 'no-day'
}

/**
 * A DICOM time as hours and minutes, e.g. "14:02"; empty when there is none.
 * @param time HHMM[SS[.FFFFFF]], with or without colons
 */
export function formatTime(time: string | null | undefined): string {
  const parts = /^(\d{2}):?(\d{2})/.exec(time?.trim() ?? '')
  return parts ? `${parts[1]}:${parts[2]}` : ''
}

/**
 * A stamp of the wire as date and time in the person's format and zone.
 * @param stamp `YYYY-MM-DD hh:mm:ss.ffffff+00`
 * @param timeZone IANA name; the browser's own zone when empty or unknown
 */
export function formatStamp(stamp: string | null | undefined, format: ShownFormat, timeZone?: string): string {
  const moment = parseStamp(stamp)
  if (!moment) return ''
  const parts = new Intl.DateTimeFormat('en-GB', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: knownZone(timeZone),
  }).formatToParts(moment)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value
  return `${fillDate(format, part('year'), part('month'), part('day'))} ${part('hour')}:${part('minute')}`
}

/** January to December. */
export const monthNames: readonly string[] = Array.from({ length: 12 }, (_, at) =>
  new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(new Date(Date.UTC(2000, at, 1))),
)

/**
 * A clock time of a zone as a moment; NaN for what is none. Of an hour that the clocks skip or repeat the moment is one
 * of the hours beside it.
 * @param clock `YYYY-MM-DDThh:mm`, as a field of the kind datetime-local gives it
 * @param timeZone IANA name; the browser's own zone when empty or unknown
 */
export function momentOf(clock: string, timeZone: string | undefined): number {
  const asUtc = Date.parse(`${clock}Z`)
  if (Number.isNaN(asUtc)) return Number.NaN
  const shownAt = (moment: number) => {
    const stamp = new Date(moment).toISOString().replace('T', ' ').replace('Z', '+00')
    return Date.parse(`${formatStamp(stamp, 'YYYY-MM-DD', timeZone).replace(' ', 'T')}Z`)
  }
  // the second look counts on days when the clocks change
  const first = asUtc - (shownAt(asUtc) - asUtc)
  return first - (shownAt(first) - asUtc)
}

/**
 * A stamp of the wire in the fixed form of the users grid (ADMIN-USERS-03), e.g. "2026-11-20 08:15 PM".
 * @param timeZone IANA name; the browser's own zone when empty or unknown
 */
export function formatLastLogin(stamp: string | null | undefined, timeZone?: string): string {
  const moment = parseStamp(stamp)
  if (!moment) return ''
  const parts = new Intl.DateTimeFormat('en-US', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h12',
    timeZone: knownZone(timeZone),
  }).formatToParts(moment)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value
  return `${fillDate('YYYY-MM-DD', part('year'), part('month'), part('day'))} ${part('hour')}:${part('minute')} ${part('dayPeriod')}`
}

/** How long ago, in words: "5 minutes ago", "yesterday". `now` is the clock, for tests. */
export function formatAgo(stamp: string | null | undefined, now: number = Date.now(), language = 'en'): string {
  const moment = parseStamp(stamp)
  if (!moment) return ''
  const seconds = Math.round((moment.getTime() - now) / 1000)
  const steps = [
    ['second', 60],
    ['minute', 60],
    ['hour', 24],
    ['day', 31],
    ['month', 12],
    ['year', Number.POSITIVE_INFINITY],
  ] as const
  let value = seconds
  for (const [unit, size] of steps) {
    if (Math.abs(value) < size) return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(value, unit)
    value = Math.trunc(value / (unit === 'day' ? 30.44 : size))
  }
  return ''
}

/** The moment of a wire stamp; undefined when it cannot be read. */
export function parseStamp(stamp: string | null | undefined): Date | undefined {
  if (!stamp) return undefined
  // The wire writes a space, microseconds and a two-digit zone; the platform reads T, milliseconds and four digits.
  const iso = stamp
    .trim()
    .replace(' ', 'T')
    .replace(/(\.\d{3})\d+/, '$1')
    .replace(/([+-]\d{2})$/, '$1:00')
  const moment = new Date(/(Z|[+-]\d{2}:\d{2})$/.test(iso) ? iso : `${iso}Z`)
  return Number.isNaN(moment.getTime()) ? undefined : moment
}

function knownZone(timeZone: string | undefined): string | undefined {
  if (!timeZone) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch {
    return undefined // a zone this browser does not know: better its own zone than no time at all
  }
}
