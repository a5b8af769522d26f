/** A calendar date as DICOM writes it; month and day are missing where only the year is known. */
type PartialDate = { year: number; month?: number; day?: number }

/** A time of day; parts behind the hour may be missing. `fraction` holds up to six digits as written. */
type PartialTime = { hour: number; minute?: number; second?: number; fraction?: string }

/**
 * A DA value: YYYYMMDD, the older YYYY.MM.DD, or only YYYY or YYYYMM. Undefined when it is no date.
 * Source: PS3.5 §6.2.
 */
export function parseDate(text: string): PartialDate | undefined {
  const match = /^(\d{4})(?:[.-]?(\d{2})(?:[.-]?(\d{2}))?)?$/.exec(text.trim())
  if (!match?.[1]) return undefined
  const date: PartialDate = { year: Number(match[1]) }
  if (match[2] !== undefined) date.month = Number(match[2])
  if (match[3] !== undefined) date.day = Number(match[3])
  return isDate(date) ? date : undefined
}

/** Whether a text is YYYYMMDD and a day of the calendar: neither the 30th of February nor a year alone. */
export function isDicomDay(text: string): boolean {
  return /^\d{8}$/.test(text) && parseDate(text)?.day !== undefined
}

/** The date as DICOM writes it, as far as it is known: YYYYMMDD, YYYYMM or YYYY. */
export function formatDicomDate(date: PartialDate): string {
  return (
    pad(date.year, 4) +
    (date.month === undefined ? '' : pad(date.month, 2)) +
    (date.day === undefined ? '' : pad(date.day, 2))
  )
}

/** A DA value in its plain form, YYYYMMDD (or YYYYMM, YYYY); empty when it is no date. */
export function normaliseDate(text: string | undefined): string {
  const date = text === undefined ? undefined : parseDate(text)
  return date ? formatDicomDate(date) : ''
}

/** A TM value: HHMMSS.FFFFFF cut anywhere behind the hour, or the older HH:MM:SS. Undefined when it is no time. */
export function parseTime(text: string): PartialTime | undefined {
  const match = /^(\d{2})(?::?(\d{2})(?::?(\d{2})(?:\.(\d{1,9}))?)?)?$/.exec(text.trim())
  if (!match?.[1]) return undefined
  const time: PartialTime = { hour: Number(match[1]) }
  if (match[2] !== undefined) time.minute = Number(match[2])
  if (match[3] !== undefined) time.second = Number(match[3])
  if (match[4] !== undefined) time.fraction = match[4].slice(0, 6)
  // 60 is a leap second.
  return time.hour <= 23 && (time.minute ?? 0) <= 59 && (time.second ?? 0) <= 60 ? time : undefined
}

/** A TM value in its plain form, HHMMSS with the parts that are known; empty when it is no time. */
export function normaliseTime(text: string | undefined): string {
  const time = text === undefined ? undefined : parseTime(text)
  if (!time) return ''
  const parts = [time.hour, time.minute, time.second].filter((part) => part !== undefined)
  return parts.map((part) => pad(part, 2)).join('') + (time.fraction ? `.${time.fraction}` : '')
}

type PartialDateTime = { date: PartialDate; time?: PartialTime; offsetMinutes?: number }

/** A DT value: YYYYMMDDHHMMSS.FFFFFF&ZZXX cut anywhere behind the year. Undefined when it is none. */
export function parseDateTime(text: string): PartialDateTime | undefined {
  const match = /^(\d{4}(?:\d{2}(?:\d{2})?)?)([\d.]+)?(?:([+-])(\d{2})(\d{2}))?$/.exec(text.trim())
  const date = match?.[1] === undefined ? undefined : parseDate(match[1])
  if (!match || !date) return undefined
  const result: PartialDateTime = { date }
  if (match[2] !== undefined) {
    const time = parseTime(match[2])
    if (!time) return undefined
    result.time = time
  }
  if (match[3] !== undefined) {
    const minutes = Number(match[4]) * 60 + Number(match[5])
    result.offsetMinutes = match[3] === '-' ? -minutes : minutes
  }
  return result
}

function isDate({ year, month = 1, day = 1 }: PartialDate): boolean {
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
}

function daysInMonth(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  if (month === 2) return isLeap ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

function pad(number: number, digits: number): string {
  return String(number).padStart(digits, '0')
}
