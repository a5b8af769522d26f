import { type DateFormat, dateFormats, isDateFormat } from '../format/dates.ts'
import { useEstablished } from './session-store.ts'

/** How the person wants dates and times: their format, and their zone or the browser's. */
export function usePreferences(): { dateFormat: DateFormat; timeZone: string } {
  const { settings, user } = useEstablished()
  const chosen = settings['date_format']
  return { dateFormat: isDateFormat(chosen) ? chosen : dateFormats[0], timeZone: user.time_zone }
}
