import type { RoutingRule, ShownAction } from '@hilum/contract/calls/route'
import { routeFlags } from '@hilum/contract/routing-rule'
import type { StoredAction } from './stored-action.ts'
import type { RuleRow } from './route.sql.ts'
import { namedBy } from './named-target.ts'
import type { RuleTarget } from './rule-target.sql.ts'
import { placesOf } from './rule-circle.ts'

const typeOf = {
  account: undefined,
  group: 'GROUP',
  location: 'LOCATION',
  user: 'PERSONAL',
  webhook: undefined,
  destination: undefined,
} as const

/** A rule with the names of all that it names; what was deleted has none. */
export function presentRule(row: RuleRow, targets: readonly RuleTarget[]): RoutingRule {
  const byUuid = new Map(targets.map((one) => [one.uuid, one]))
  const place = byUuid.get(row.namespace_uuid)
  const flags = Object.fromEntries(routeFlags.map((name) => [name, row.flags.includes(name) ? 1 : 0]))
  return {
    uuid: row.uuid,
    name: row.name,
    namespace_id: row.namespace_uuid,
    namespace_name: place?.name ?? '',
    for_group: place?.kind === 'group' ? 1 : 0,
    for_location: place?.kind === 'location' ? 1 : 0,
    other_namespaces: row.other_namespaces.join(','),
    namespaces: placesOf(row).map((uuid) => ({ uuid, name: byUuid.get(uuid)?.name ?? '' })),
    sequence: row.sequence,
    suspended: row.suspended ? 1 : 0,
    ...(flags as Pick<RoutingRule, (typeof routeFlags)[number]>), // one entry for each name
    conditions: row.conditions,
    actions: row.actions.map((action) => presentAction(action, byUuid)),
    options: { ...row.options },
    schedule: row.schedule && { ...row.schedule },
    delay: Math.floor(row.delay_seconds / 60),
    delay_seconds: row.delay_seconds,
    delay_from_study_field: row.delay_from_study_field,
    delay_from_study_seconds: row.delay_from_study_seconds,
    manual_roles: row.manual_roles.join(','),
    capture_email: 0,
    row_version: row.row_version,
  }
}

function presentAction(action: StoredAction, byUuid: ReadonlyMap<string, RuleTarget>): ShownAction {
  if ('share_code' in action) return { share_code: action.share_code, name: action.to?.name ?? '' }
  const target = byUuid.get(namedBy(action).uuid)
  const type = target && typeOf[target.kind]
  return { ...action, ...(type ? { type } : {}), name: target?.name ?? '' }
}
