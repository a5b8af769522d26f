/** The stretch of time that a filter value names, as texts for timestamptz: from inclusive, until exclusive. */
export interface StampRange {
  from: string
  until: string
}

const stampForm =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[ T](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,6}))?(?:[+-]\d{2}(?::?\d{2})?|Z)?)?$/

/**
 * Reads a date value of a filter: `YYYY-MM-DD`, `YYYYMMDD` or `YYYY-MM-DD hh:mm:ss[.uuuuuu]`, each standing for as
 * long as it says – a day, a second, a microsecond. An offset inside the value is ignored (`api-facts` §1.1).
 * @returns undefined when it is no date
 */
export function readStampRange(value: string, zone: string): StampRange | undefined {
  const match = stampForm.exec(value.trim())
  if (!match) return undefined
  const [, year, month, day, hour, minute, second, fraction] = match
  try {
    const date = Temporal.PlainDate.from(`${year}-${month}-${day}`)
    if (hour === undefined) return range(startOf(date, zone), startOf(date.add({ days: 1 }), zone))
    const time = Temporal.PlainTime.from(`${hour}:${minute}:${second}${fraction ? `.${fraction}` : ''}`)
    const from = date.toZonedDateTime({ timeZone: zone, plainTime: time }).toInstant()
    return range(from, from.add(fraction ? { microseconds: 1 } : { seconds: 1 }))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function startOf(date: Temporal.PlainDate, zone: string): Temporal.Instant {
  return date.toZonedDateTime({ timeZone: zone }).toInstant()
}
function range(from: Temporal.Instant, until: Temporal.Instant): StampRange {
  return { from: text(from), until: text(until) }
}
function text(instant: Temporal.Instant): string {
  return instant.toString({ fractionalSecondDigits: 6 })
}

/** A DICOM date of a filter as the columns hold it (`YYYYMMDD`), also sent as `MM-DD-YYYY`; a time behind it is cut off. */
export function readDicomDate(value: string): string | undefined {
  const american = /^(\d{2})[-/](\d{2})[-/](\d{4})$/.exec(value.trim())
  if (american) return `${american[3]}${american[1]}${american[2]}`
  const match = stampForm.exec(value.trim())
  return match ? `${match[1]}${match[2]}${match[3]}` : undefined
}
