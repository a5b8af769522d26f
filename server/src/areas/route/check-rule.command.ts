import { customFieldOf } from '@hilum/contract/routing-rule'
import { ApiError } from '@hilum/contract/errors'
import type { Db } from '../../db/database.ts'
import type { StoredAction } from './stored-action.ts'
import { kindOfAction, namedBy } from './named-target.ts'
import { refuse } from './read-rule.ts'
import { findCircle } from './rule-circle.ts'
import { listActiveRules, type RuleRow } from './route.sql.ts'
import { listRuleFields, listRuleRoles, listRuleTargets, type RuleTarget } from './rule-target.sql.ts'

/**
 * Holds a rule against its account: everything that it names is there, and it sends nothing round in a circle. A place
 * or person that an action names by the uuid of its owner is named by its namespace afterwards.
 * @param formerRoles roles of the rule until now, which may be gone while nobody starts it by hand
 * @throws ApiError INVALID_LINKAGE, INVALID_OTHER_NAMESPACES, INVALID_MANUAL_ROLES, INVALID_CONDITION, INVALID_ACTION
 */
export async function checkRule(db: Db, rule: RuleRow, formerRoles: readonly string[] = []): Promise<RuleRow> {
  const targets = await listRuleTargets(db, rule.account_uuid)
  const places = new Map(targets.filter(isPlace).map((one) => [one.uuid, one]))
  if (!places.has(rule.namespace_uuid)) throw new ApiError('INVALID_LINKAGE', { subtype: 'namespace_id' })
  if (!rule.other_namespaces.every((uuid) => places.has(uuid))) throw refuse('INVALID_OTHER_NAMESPACES', 'GONE')
  const unchecked = rule.flags.includes('on_manual_route') ? [] : formerRoles
  const chosen = rule.manual_roles.filter((uuid) => !unchecked.includes(uuid))
  if (chosen.length > 0) {
    const roles = new Set((await listRuleRoles(db, rule.account_uuid)).map((one) => one.uuid))
    if (!chosen.every((uuid) => roles.has(uuid))) throw refuse('INVALID_MANUAL_ROLES', 'GONE')
  }
  await checkFields(db, rule)
  const actions = rule.actions.map((action, at) => checkAction(action, at, targets))
  const checked = {
    ...rule,
    actions,
    other_namespaces: rule.other_namespaces.filter((uuid) => uuid !== rule.namespace_uuid),
  }
  const others = (await listActiveRules(db, rule.account_uuid)).filter((one) => one.uuid !== rule.uuid)
  const circle = findCircle(checked, others, targets)
  if (circle !== undefined) throw refuse('INVALID_ACTION', 'LOOP', circle)
  return checked
}

function isPlace({ kind }: RuleTarget): boolean {
  return kind === 'account' || kind === 'group' || kind === 'location'
}

async function checkFields(db: Db, rule: RuleRow): Promise<void> {
  const named = rule.conditions.map(({ lv }) => customFieldOf(lv))
  if (!named.some(Boolean)) return
  const fields = new Set((await listRuleFields(db, rule.account_uuid)).map((one) => one.uuid))
  const at = named.findIndex((uuid) => uuid !== undefined && !fields.has(uuid))
  if (at >= 0) throw refuse('INVALID_CONDITION', 'GONE', at)
}

function checkAction(action: StoredAction, at: number, targets: readonly RuleTarget[]): StoredAction {
  const { kind, uuid } = namedBy(action)
  // looked for before, where attempts are counted
  if ('share_code' in action) return action
  const found = targets.find((one) => kindOfAction(one) === kind && (one.uuid === uuid || one.owner_uuid === uuid))
  if (!found) throw refuse('INVALID_ACTION', 'GONE', at)
  if (kind === 'webhook') return { webhook: found.uuid }
  if (found.kind === 'account') throw refuse('INVALID_ACTION', 'NOT_AVAILABLE', at)
  if (kind === 'destination' && !found.is_open) throw refuse('INVALID_ACTION', 'TAKES_NO_PUSH', at)
  if (!found.is_open) throw refuse('INVALID_ACTION', 'TAKES_NO_SHARES', at)
  return kind === 'destination' ? { destination: found.uuid } : { namespace: found.uuid }
}
