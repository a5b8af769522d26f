import type { AnyCall } from '@hilum/contract/call'
import { browserZone } from '../format/browser-zone.ts'

/**
 * The zone in which the days of a list are meant, as the list takes it: pages show moments in the zone of the browser to
 * whoever has no other, and the server would read days in UTC. Empty for what compares no moments.
 */
export function zoneOf(call: AnyCall, sent: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const kinds = call.list?.filters ?? {}
  const isOfMoments = Object.keys(sent).some((key) => {
    const [, field = ''] = /^filter\.([a-z_]+)\./.exec(key) ?? []
    return sent[key] !== undefined && kinds[field] === 'stamp'
  })
  // a saved search may have days among its filters
  return isOfMoments || sent['filter_id'] !== undefined ? { 'filter.tz': browserZone() } : {}
}
