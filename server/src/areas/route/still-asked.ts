import type { RouteFlag } from '@hilum/contract/routing-rule'
import type { RunRow } from './route-run.sql.ts'
import type { RuleRow } from './route.sql.ts'
import { placesOf } from './rule-circle.ts'
import type { RuledRecord } from './ruled-study.sql.ts'

/** The flag of a rule that starts it after an event. */
export const flagOf = {
  upload: 'on_upload',
  harvest: 'on_harvest',
  share: 'on_share',
  manual: 'on_manual_route',
} as const satisfies Record<RunRow['trigger'], RouteFlag>

/** Rules look at late images as at the first ones, unless they are for the one or the other alone. */
export function isAskedOn({ flags }: Pick<RuleRow, 'flags'>, arrival: number): boolean {
  return arrival > 1 ? !flags.includes('no_re_run') : !flags.includes('only_re_run')
}

/** Why a rule as it is now would not be asked of the study of a run; empty where it would. */
export function whyNotAsked(
  rule: RuleRow,
  study: Pick<RuledRecord, 'phi_namespace'>,
  { trigger, arrival }: Pick<RunRow, 'trigger' | 'arrival'>,
): '' | 'RULE_DISABLED' | 'OTHER_PLACE' | 'OTHER_TRIGGER' {
  if (rule.suspended) return 'RULE_DISABLED'
  if (!placesOf(rule).includes(study.phi_namespace)) return 'OTHER_PLACE'
  const isAsked = rule.flags.includes(flagOf[trigger]) && (arrival === null || isAskedOn(rule, arrival))
  return isAsked ? '' : 'OTHER_TRIGGER'
}
