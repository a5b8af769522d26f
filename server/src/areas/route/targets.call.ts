import type { routeTargets } from '@hilum/contract/calls/route'
import type { Handler } from '../handler.ts'
import { listRuleFields, listRulePeople, listRuleRoles, listRuleTargets } from './rule-target.sql.ts'

export const targets: Handler<typeof routeTargets> = async ({ services, on }) => {
  const [named, people, roles, customfields] = await Promise.all([
    listRuleTargets(services.db, on.ownerUuid),
    listRulePeople(services.db, on.ownerUuid),
    listRuleRoles(services.db, on.ownerUuid),
    listRuleFields(services.db, on.ownerUuid),
  ])
  return {
    places: named.flatMap(({ uuid, kind, name, is_open }) =>
      kind === 'user' || kind === 'webhook' || kind === 'destination'
        ? []
        : [{ uuid, kind, name, takes_shares: is_open ? 1 : 0 }],
    ),
    people,
    webhooks: named.flatMap(({ uuid, kind, name }) => (kind === 'webhook' ? [{ uuid, name }] : [])),
    destinations: named.flatMap(({ uuid, kind, name, is_open }) =>
      kind === 'destination' && is_open ? [{ uuid, name }] : [],
    ),
    roles,
    customfields,
  }
}
