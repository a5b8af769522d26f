import { browserZone } from '../format/browser-zone.ts'

/**
 * The zone in which the days of a list are meant, for every list that is narrowed: pages show moments in the zone of the
 * browser to whoever has no other, and the server would read days in UTC. Declarations tell built pages nothing of lists,
 * and a saved search may have days among its filters.
 */
export function zoneOf(sent: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const isNarrowed = Object.keys(sent).some(
    (key) => sent[key] !== undefined && (key.startsWith('filter.') || key === 'filter_id'),
  )
  return isNarrowed ? { 'filter.tz': browserZone() } : {}
}
