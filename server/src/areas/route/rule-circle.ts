import type { RuleRow } from './route.sql.ts'

type Edge = Pick<RuleRow, 'namespace_uuid' | 'other_namespaces' | 'actions' | 'flags'>

/** All places that a rule is for. */
export function placesOf({ namespace_uuid, other_namespaces }: Pick<RuleRow, 'namespace_uuid' | 'other_namespaces'>) {
  return [namespace_uuid, ...other_namespaces]
}

/** Namespaces that a rule shares with, in the order of its actions. */
export function sharedWith({ actions }: Pick<RuleRow, 'actions'>): (string | undefined)[] {
  return actions.map((action) => ('namespace' in action ? action.namespace : undefined))
}

/**
 * The number of the action by which a rule would share a study back into its own place: at once, or along other rules
 * that shares start.
 */
export function findCircle(rule: Edge, others: readonly Edge[]): number | undefined {
  const own = new Set(placesOf(rule))
  const passing = others.filter((one) => one.flags.includes('on_share'))
  const at = sharedWith(rule).findIndex((first) => {
    if (first === undefined) return false
    if (own.has(first)) return true
    // a rule that no share starts ends what came round to it
    if (!rule.flags.includes('on_share')) return false
    const reached = new Set([first])
    for (const place of reached) {
      for (const one of passing) {
        if (!placesOf(one).includes(place)) continue
        for (const next of sharedWith(one)) if (next !== undefined) reached.add(next)
      }
    }
    return [...own].some((place) => reached.has(place))
  })
  return at < 0 ? undefined : at
}
