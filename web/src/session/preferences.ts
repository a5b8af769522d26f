import { type DateFormat, dateFormats, isDateFormat } from '../format/dates.ts'
import { useEstablished } from './session-store.ts'

/** How the person wants dates and times: their format, and their zone or the browser's. */
export function usePreferences(): { dateFormat: DateFormat; timeZone: string } {
  const { settings, user } = useEstablished()
  const chosen = settings['date_format']
  return { dateFormat: isDateFormat(chosen) ? chosen : dateFormats[0], timeZone: user.time_zone }
}

/** Setting that switches the single-key shortcuts off, when "0". */
export const shortcutsKey = 'keyboard_shortcuts'

/** Whether single keys act (WCAG 2.1.4 asks for a way to switch them off). */
export function useHasShortcuts(): boolean {
  return useEstablished().settings[shortcutsKey] !== '0'
}
