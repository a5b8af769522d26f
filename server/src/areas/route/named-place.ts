import { kindOfAction } from './named-target.ts'
import type { RuleTarget } from './rule-target.sql.ts'

interface Sent {
  account_id?: string | undefined
  group_id?: string | undefined
  location_id?: string | undefined
  namespace_id?: string | undefined
}

/** The namespace of the place that was named by its own uuid or that of its owner; undefined for a person's. */
export function namedPlace(sent: Sent, targets: readonly RuleTarget[]): string | undefined {
  const named = sent.namespace_id ?? sent.group_id ?? sent.location_id ?? sent.account_id
  const place = targets.find((one) => one.uuid === named || one.owner_uuid === named)
  return place && place.kind !== 'user' && kindOfAction(place) === 'namespace' ? place.uuid : undefined
}
