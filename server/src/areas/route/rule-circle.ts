import type { RuleRow } from './route.sql.ts'
import type { RuleTarget } from './rule-target.sql.ts'

type Edge = Pick<RuleRow, 'namespace_uuid' | 'other_namespaces' | 'actions' | 'flags'>

/** All places that a rule is for. */
export function placesOf({ namespace_uuid, other_namespaces }: Pick<RuleRow, 'namespace_uuid' | 'other_namespaces'>) {
  return [namespace_uuid, ...other_namespaces]
}

/** Targets that the rules of an account can name, as `listRuleTargets` has them. */
type Targets = readonly Pick<RuleTarget, 'kind' | 'uuid' | 'owner_uuid'>[]

/**
 * Namespaces that a rule shares with, in the order of its actions: by name, or by a code that led into its own account
 * when it was saved. Rules of other accounts pass on what leaves the account.
 */
export function sharedWith({ actions }: Pick<RuleRow, 'actions'>, targets: Targets): (string | undefined)[] {
  return actions.map((action) => {
    if ('namespace' in action) return action.namespace
    const to = 'share_code' in action ? action.to : undefined
    return to && targets.find((one) => one.kind === to.kind && one.owner_uuid === to.uuid)?.uuid
  })
}

/**
 * The number of the action by which a rule would share a study back into its own place: at once, or along other rules
 * that shares start.
 */
export function findCircle(rule: Edge, others: readonly Edge[], targets: Targets): number | undefined {
  const own = new Set(placesOf(rule))
  const passing = others.filter((one) => one.flags.includes('on_share'))
  const at = sharedWith(rule, targets).findIndex((first) => {
    if (first === undefined) return false
    if (own.has(first)) return true
    // a rule that no share starts ends what came round to it
    if (!rule.flags.includes('on_share')) return false
    const reached = new Set([first])
    for (const place of reached) {
      for (const one of passing) {
        if (!placesOf(one).includes(place)) continue
        for (const next of sharedWith(one, targets)) if (next !== undefined) reached.add(next)
      }
    }
    return [...own].some((place) => reached.has(place))
  })
  return at < 0 ? undefined : at
}
