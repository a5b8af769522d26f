import { formatDate, formatStamp } from '../../../format/dates.ts'
import { usePreferences } from '../../../session/preferences.ts'

/** Dates of exams and moments of accesses, as the person reads them. */
export function useOutsideStamp() {
  const { dateFormat, timeZone } = usePreferences()
  return {
    day: (date: string) => formatDate(date, dateFormat),
    moment: (stamp: string | null) => formatStamp(stamp, dateFormat, timeZone),
  }
}
