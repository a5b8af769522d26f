/** The six date formats a person may choose (A§3); the first is the default. */
export const dateFormats = ['MM-DD-YYYY', 'YYYY-MM-DD', 'DD-MM-YYYY', 'YYYY/MM/DD', 'MM/DD/YYYY', 'DD/MM/YYYY'] as const
export type DateFormat = (typeof dateFormats)[number]

export function isDateFormat(text: unknown): text is DateFormat {
  return dateFormats.some((format) => format === text)
}

/**
 * The month in letters: for readers whose format nobody knows (pages of links and requests), and beside a date in
 * figures wherever it must not be read in two ways. "5 Mar 1961"
 */
export const writtenFormat = 'D MMM YYYY'
export type ShownFormat = DateFormat | typeof writtenFormat

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * A DICOM date in the person's format; what is no date comes back as it was sent, so that nothing is hidden.
 * @param date YYYYMMDD, YYYY-MM-DD or the ACR-NEMA form YYYY.MM.DD
 */
export function formatDate(date: string | null | undefined, format: ShownFormat): string {
  if (!date) return ''
  const [, year = '', month = '', day = ''] = /^(\d{4})[-.]?(\d{2})[-.]?(\d{2})$/.exec(date.trim()) ?? []
  if (year === '') return date
  // The 30th of February must not be read as a day that there is.
  if (format === writtenFormat && !isDay(year, month, day)) return date
  return fillDate(format, year, month, day)
}

/** Whether the calendar has the day. Parts are digits: YYYY, MM, DD. */
export function isDay(year: string, month: string, day: string): boolean {
  const moment = new Date(`${year}-${month}-${day}T00:00:00Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(`${year}-${month}-${day}`)
}

/** Parts of a date, as digits, in a format. */
export function fillDate(format: ShownFormat, year = '', month = '', day = ''): string {
  if (format === writtenFormat) return `${Number(day)} ${months[Number(month) - 1] ?? month} ${year}`
  return format.replace('YYYY', year).replace('MM', month).replace('DD', day)
}
