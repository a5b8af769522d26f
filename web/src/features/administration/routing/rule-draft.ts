import {
  conditionFault,
  kindOfField,
  maxRouteDelaySeconds,
  routeTriggers,
  type RouteTrigger,
  type Weekday,
  weekdays,
} from '@hilum/contract/routing-rule'
import { t } from '../../../labels/label.ts'
import type { RoutingRule, RuleTargets, RuleFields } from '../../../queries/routing-rules.ts'
import { actionText, conditionText, word } from './rule-words.ts'

/** The beginning of an action that shares by a code. */
export const byCode = 'share_code:'

export interface DraftCondition {
  lv: string
  op: string
  /** As it is typed; several values with commas. */
  value: string
  transform: string
}
/** A rule as the form holds it. */
export interface RuleDraft {
  name: string
  isOn: boolean
  places: string[]
  when: Record<RouteTrigger, boolean>
  isAny: boolean
  conditions: DraftCondition[]
  /** Kind and object of each, as in `namespace:{uuid}` or `share_code:{code}`; empty while nothing is chosen. */
  actions: string[]
  minutes: number
  hasHours: boolean
  days: Weekday[]
  start: string
  stop: string
  zone: string
  waits: boolean
}

const actionKinds = ['namespace', 'webhook', 'destination', 'share_code'] as const

export function draftOf(rule: RoutingRule | undefined, zone: string): RuleDraft {
  const schedule = rule?.schedule
  return {
    name: rule?.name ?? '',
    isOn: rule ? rule.suspended === 0 : true,
    places: rule ? rule.namespaces.map((one) => one.uuid) : [],
    when: Object.fromEntries(routeTriggers.map((flag) => [flag, rule?.[flag] === 1])) as RuleDraft['when'], // all of them
    isAny: rule?.options.match_any === 1,
    conditions: (rule?.conditions ?? []).map(({ lv, op, rv, lv_transform }) => ({
      lv,
      op,
      value: Array.isArray(rv) ? rv.join(', ') : rv,
      transform: lv_transform ?? '',
    })),
    actions: (rule?.actions ?? []).flatMap((action) =>
      actionKinds.flatMap((kind) => (action[kind] === undefined ? [] : [`${kind}:${action[kind]}`])),
    ),
    minutes: Math.round((rule?.delay_seconds ?? 0) / 60),
    hasHours: schedule !== null && schedule !== undefined,
    days: weekdays.filter((day) => (schedule ? schedule[day] === 1 : !['sat', 'sun'].includes(day))),
    start: String(schedule?.start ?? '08:00'),
    stop: String(schedule?.stop ?? '18:00'),
    zone: String(schedule?.tz ?? zone),
    waits: rule ? rule.delay_till_schedule === 1 : true,
  }
}

function sentCondition({ lv, op, value, transform }: DraftCondition) {
  const isList = op === 'in'
  const rv = isList ? listOf(value) : value.trim()
  return { lv, op, rv, ...(transform ? { lv_transform: transform } : {}) }
}

function listOf(value: string): string[] {
  return value
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
}

/** An action as the calls take it. */
function actionOf(one: string): Record<string, string> {
  const end = one.indexOf(':')
  return { [one.slice(0, end)]: one.slice(end + 1).trim() }
}

/** A draft as the calls take it. */
export function sentOf(draft: RuleDraft, rule: RoutingRule | undefined): RuleFields {
  const [first = '', ...others] = draft.places
  const { start, stop, zone } = draft
  const days = Object.fromEntries(draft.days.map((day) => [day, 1]))
  const flags = Object.fromEntries(routeTriggers.map((flag) => [flag, draft.when[flag] ? 1 : 0]))
  return {
    ...(rule ? { uuid: rule.uuid, row_version: rule.row_version } : {}),
    name: draft.name.trim(),
    suspended: draft.isOn ? 0 : 1,
    namespace_id: first,
    other_namespaces: others.join(','),
    ...(flags as Record<RouteTrigger, 0 | 1>), // all of them
    conditions: draft.conditions.map(sentCondition),
    actions: draft.actions.filter(Boolean).map(actionOf),
    options: { ...rule?.options, match_any: draft.isAny ? 1 : 0 },
    schedule: draft.hasHours ? { ...days, start, stop, tz: zone } : {},
    delay_till_schedule: draft.hasHours && draft.waits ? 1 : 0,
    delay_seconds: draft.minutes * 60,
  }
}

/** The faults that keep a draft from being saved or tested, in words. */
export function draftFault(draft: RuleDraft, isTest = false): string | undefined {
  if (!isTest && draft.name.trim() === '') return t('routing.missingName')
  if (draft.places.length === 0) return t('routing.missingPlace')
  const at = draft.conditions.findIndex((one) => conditionFault(sentCondition(one)) !== undefined)
  if (at >= 0) return t('routing.missingValue', { number: at + 1 })
  const codeless = draft.actions.findIndex((one) => one.trim() === byCode)
  if (codeless >= 0) return t('routing.missingCode', { number: codeless + 1 })
  if (!Number.isFinite(draft.minutes) || draft.minutes < 0 || draft.minutes * 60 > maxRouteDelaySeconds)
    return t('routing.delayHint')
  return draft.hasHours && (draft.days.length === 0 || draft.start === draft.stop)
    ? t('routing.fault.schedule')
    : undefined
}

/** Whether a field has an age, by which it can be compared. */
export function hasAge(lv: string): boolean {
  const kind = kindOfField(lv)
  return kind === 'date' || kind === 'stamp'
}

/** A plain sentence of what the rule does. */
export function sentenceOf(draft: RuleDraft, targets: RuleTargets): string {
  const was = routeTriggers.filter((flag) => draft.when[flag]).map((flag) => word(`routing.was.${flag}`))
  const chosen = draft.actions.filter(Boolean)
  if (draft.places.length === 0 || was.length === 0 || chosen.length === 0) return t('routing.sentenceIncomplete')
  const names = new Map(
    [...targets.places, ...targets.people, ...targets.webhooks, ...targets.destinations].map((one) => [
      one.uuid,
      one.name,
    ]),
  )
  const nameOf = (uuid: string) => names.get(uuid) ?? t('routing.gone')
  const or = ` ${t('routing.or')} `
  const and = ` ${t('routing.and')} `
  const conditions = draft.conditions.map((one) => conditionText(sentCondition(one), targets))
  const acts = chosen.map((one) => {
    const action = actionOf(one)
    return actionText({ ...action, name: action.share_code ? '' : nameOf(Object.values(action)[0] ?? '') })
  })
  const later = draft.minutes > 0 ? t('routing.sentenceDelay', { minutes: draft.minutes }) : ''
  const hours = draft.hasHours
    ? t('routing.sentenceHours', {
        days: draft.days.map((day) => t(`routing.day.${day}`)).join(', '),
        start: draft.start,
        stop: draft.stop,
      })
    : ''
  return t('routing.sentence', {
    places: draft.places.map(nameOf).join(or),
    when: was.join(or),
    conditions: conditions.length > 0 ? conditions.join(draft.isAny ? or : and) : t('routing.sentenceAny'),
    actions: acts.join(and),
    delay: later + hours,
  })
}
