import { createContext, useContext } from 'react'
import { type DateFormat, dateFormats, isDateFormat, type ShownFormat, writtenFormat } from '../format/dates.ts'
import { useEstablished, useOwnSession } from './session-store.ts'

/**
 * How the person wants dates and times: their format, and their zone or the browser's. Somebody without a login has
 * chosen none, and reads dates that mean the same everywhere.
 */
export function usePreferences(): { dateFormat: DateFormat; timeZone: string } {
  const session = useOwnSession()
  if (!session) return { dateFormat: 'YYYY-MM-DD', timeZone: '' }
  const chosen = session.settings['date_format']
  return { dateFormat: isDateFormat(chosen) ? chosen : dateFormats[0], timeZone: session.user.time_zone }
}

/** Whether dates stand with the month in letters, as on pages for readers whose format nobody knows. */
export const WrittenDates = createContext(false)

/** The format and zone of dates that are shown and not typed. */
export function useShownDates(): { dateFormat: ShownFormat; timeZone: string } {
  const preferences = usePreferences()
  return useContext(WrittenDates) ? { dateFormat: writtenFormat, timeZone: '' } : preferences
}

/** Setting that switches the single-key shortcuts off, when "0". */
export const shortcutsKey = 'keyboard_shortcuts'

/** Whether single keys act (WCAG 2.1.4 asks for a way to switch them off). */
export function useHasShortcuts(): boolean {
  return useEstablished().settings[shortcutsKey] !== '0'
}

/** Setting that shows a small picture on each card of the list, when "1". */
export const picturesKey = 'list_pictures'

export function useHasPictures(): boolean {
  return useEstablished().settings[picturesKey] === '1'
}

/** How closely rows stand in lists; the first is the default. */
export const densities = ['compact', 'comfortable'] as const
type Density = (typeof densities)[number]
export const densityKey = 'density'

export function useDensity(): Density {
  return densityOf(useEstablished().settings)
}

export function densityOf(settings: Readonly<Record<string, string>>): Density {
  return densities.find((one) => one === settings[densityKey]) ?? densities[0]
}
