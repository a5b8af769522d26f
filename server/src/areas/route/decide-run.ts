import { conditionFault } from '@hilum/contract/routing-rule'
import { evaluateConditions, type RuledStudy } from './evaluate-rule.ts'
import type { RuleRow } from './route.sql.ts'
import { isWithinSchedule, nextWithin } from './rule-schedule.ts'

/** The state that a run begins with: it waits until a time, for approval, or is over because the rule does not match, or has a fault. */
interface RunDecision {
  state: 'waiting' | 'not_matched' | 'failed'
  /** AWAITS_APPROVAL, CONDITIONS, OUTSIDE_SCHEDULE, FIELD_GONE, BAD_CONDITION, or empty. */
  reason: string
  detail: { failed?: number[] }
  runAt: Date | null
}

type DecidedRule = Pick<
  RuleRow,
  | 'conditions'
  | 'options'
  | 'schedule'
  | 'flags'
  | 'delay_seconds'
  | 'delay_from_study_field'
  | 'delay_from_study_seconds'
  | 'saver_zone'
  | 'names_gone_field'
>

/** Why the conditions of a rule cannot be asked of any study: nothing is taken for an answer then. Empty where they can. */
export function faultOfConditions({
  conditions,
  names_gone_field,
}: Pick<DecidedRule, 'conditions' | 'names_gone_field'>): '' | 'FIELD_GONE' | 'BAD_CONDITION' {
  if (names_gone_field) return 'FIELD_GONE'
  return conditions.some((one) => conditionFault(one) !== undefined) ? 'BAD_CONDITION' : ''
}

/**
 * Whether a rule acts on a study, and when.
 * @param from when its delay begins
 */
export function decideRun(
  rule: DecidedRule,
  study: RuledStudy & { must_approve: boolean },
  now: Date,
  from: Date = now,
): RunDecision {
  const fault = faultOfConditions(rule)
  if (fault) return { state: 'failed', reason: fault, detail: {}, runAt: null }
  if (study.must_approve && rule.options.bypass_approval !== 1)
    return { state: 'waiting', reason: 'AWAITS_APPROVAL', detail: {}, runAt: null }
  const { isMet, failed } = evaluateConditions(rule, study, now)
  if (!isMet) return { state: 'not_matched', reason: 'CONDITIONS', detail: { failed }, runAt: null }
  const at = new Date(Math.max(dueAt(rule, study, from).getTime(), now.getTime()))
  if (!rule.schedule || isWithinSchedule(rule.schedule, at))
    return { state: 'waiting', reason: '', detail: {}, runAt: at }
  const later = rule.flags.includes('delay_till_schedule') ? nextWithin(rule.schedule, at) : undefined
  if (!later) return { state: 'not_matched', reason: 'OUTSIDE_SCHEDULE', detail: {}, runAt: null }
  return { state: 'waiting', reason: '', detail: {}, runAt: later }
}

function dueAt(rule: DecidedRule, study: RuledStudy, begin: Date): Date {
  const after = new Date(begin.getTime() + rule.delay_seconds * 1000)
  const from = startOf(rule.delay_from_study_field, study)
  if (!from) return after
  return new Date(Math.max(after.getTime(), from.getTime() + rule.delay_from_study_seconds * 1000))
}

function startOf(field: string, study: RuledStudy): Date | undefined {
  if (field === 'created') return study.created
  if (field !== 'study_date' || study.study_date === '') return undefined
  const day = study.study_date
  const at = new Date(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00Z`)
  return Number.isNaN(at.getTime()) ? undefined : at
}
