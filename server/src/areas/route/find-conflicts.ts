import type { routeConflicts } from '@hilum/contract/calls/route'
import { routeTriggers } from '@hilum/contract/routing-rule'
import { faultOfConditions } from './decide-run.ts'
import { evaluateConditions } from './evaluate-rule.ts'
import type { StoredAction } from './stored-action.ts'
import { namedBy } from './named-target.ts'
import type { RuleRow } from './route.sql.ts'
import { placesOf, sharedWith } from './rule-circle.ts'
import type { RuleTarget } from './rule-target.sql.ts'
import type { RuledRecord } from './ruled-study.sql.ts'

interface Conflict {
  uuid: string
  name: string
  reason: (typeof routeConflicts)[number]
  /** Studies of the test that both rules match. */
  studies: number
}

/** Other rules that do the same to the same studies, or send studies back to where this one takes them from. */
export function findConflicts(
  rule: RuleRow,
  others: readonly RuleRow[],
  targets: readonly RuleTarget[],
  { matching, now }: { matching: readonly RuledRecord[]; now: Date },
): Conflict[] {
  const places = new Set(placesOf(rule))
  const reached = new Set(sharedWith(rule, targets).filter((one) => one !== undefined))
  const actions = new Set(rule.actions.map(nameOf))
  return others.flatMap((other) => {
    const named = { uuid: other.uuid, name: other.name }
    const inBoth = matching.filter(
      (study) =>
        !faultOfConditions(other) &&
        placesOf(other).includes(study.phi_namespace) &&
        evaluateConditions(other, study, now).isMet,
    ).length
    const isStartedAlike = routeTriggers.some((flag) => rule.flags.includes(flag) && other.flags.includes(flag))
    const isInOnePlace = placesOf(other).some((place) => places.has(place))
    const hasOneAction = other.actions.some((one) => actions.has(nameOf(one)))
    const isSame = isStartedAlike && isInOnePlace && hasOneAction && (inBoth > 0 || matching.length === 0)
    const sendsBack =
      other.flags.includes('on_share') &&
      placesOf(other).some((place) => reached.has(place)) &&
      sharedWith(other, targets).some((place) => place !== undefined && places.has(place))
    return [
      ...(isSame ? [{ ...named, reason: 'SAME_ACTION' as const, studies: inBoth }] : []),
      ...(sendsBack ? [{ ...named, reason: 'SENDS_BACK' as const, studies: inBoth }] : []),
    ]
  })
}

/** The object of an action; letters of a share code count in either case. */
function nameOf(action: StoredAction): string {
  const { kind, uuid } = namedBy(action)
  return `${kind} ${uuid.toLowerCase()}`
}
