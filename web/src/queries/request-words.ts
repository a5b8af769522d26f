import type { Link } from '@hilum/contract/calls/link'
import { maxRequestNumber } from '@hilum/contract/limits'
import { formatStamp, parseStamp } from '../format/dates.ts'
import { t } from '../labels/label.ts'
import { usePreferences } from '../session/preferences.ts'

/** A stamp in the person's own format and zone. */
export function useStamp(): (stamp: string) => string {
  const { dateFormat, timeZone } = usePreferences()
  return (stamp) => formatStamp(stamp, dateFormat, timeZone)
}

/** State of a request, as a line of its card. */
export function requestStateText({ state, expires_at: expiresAt }: Link, stamp: (text: string) => string): string {
  if (state === 'open' || state === 'waiting' || state === 'expired') {
    return t(`requests.state.${state}`, { when: stamp(expiresAt) })
  }
  return t(`requests.state.${state}`)
}

/** The images that have come so far by a request, in words. */
export function arrivalText({ arrivals }: Link): string {
  if (arrivals.length === 0) return t('requests.nothing')
  if (arrivals.some((one) => one.ended_at === null)) return t('requests.arriving')
  return t('requests.arrived', { count: arrivals.length })
}

/** Whether something came that may be of another patient than the expected one. */
export function hasDifference({ arrivals }: Link): boolean {
  return arrivals.some(({ verdict }) => verdict === 'likely' || verdict === 'different')
}

const extendMinutes = 24 * 60

/** Minutes from now to a day behind the present end, or behind now where that has passed. */
export function extendedMinutes({ expires_at: expiresAt }: Link, now: number = Date.now()): number {
  const left = ((parseStamp(expiresAt)?.getTime() ?? 0) - now) / 60_000
  return Math.min(maxRequestNumber, Math.max(0, Math.round(left)) + extendMinutes)
}
