import {
  conditionFault,
  delayFields,
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
  lateImages: LateStart
  /** The time of the study after which the actions wait for so many minutes more; empty for none. */
  after: '' | (typeof delayFields)[number]
  afterMinutes: number
  hasHours: boolean
  days: Weekday[]
  start: string
  stop: string
  zone: string
  waits: boolean
  /** Acts at all other hours instead. */
  isOutside: boolean
  /** Roles that may start the rule by hand; empty for all. */
  manualRoles: string[]
  /** Acts on studies that wait for approval as well. */
  isBeforeApproval: boolean
}

/** Whether images that come later start the rule anew, do not, or are the only ones that do; `never` comes from programs alone. */
export type LateStart = 'again' | 'not' | 'only' | 'never'

type RuleCondition = RoutingRule['conditions'][number]

const actionKinds = ['namespace', 'webhook', 'destination', 'share_code'] as const

export function draftOf(rule: RoutingRule | undefined, zone: string): RuleDraft {
  const schedule = rule?.schedule
  return {
    name: rule?.name ?? '',
    isOn: rule ? rule.suspended === 0 : true,
    places: rule ? rule.namespaces.map((one) => one.uuid) : [],
    when: Object.fromEntries(routeTriggers.map((flag) => [flag, rule?.[flag] === 1])) as RuleDraft['when'], // all of them
    isAny: rule?.options.match_any === 1,
    conditions: (rule?.conditions ?? []).map(draftCondition),
    actions: (rule?.actions ?? []).flatMap((action) =>
      actionKinds.flatMap((kind) => (action[kind] === undefined ? [] : [`${kind}:${action[kind]}`])),
    ),
    minutes: minutesOf(rule?.delay_seconds),
    lateImages: lateImagesOf(rule),
    after: delayFields.find((one) => one === rule?.delay_from_study_field) ?? '',
    afterMinutes: minutesOf(rule?.delay_from_study_seconds),
    hasHours: schedule !== null && schedule !== undefined,
    days: weekdays.filter((day) => (schedule ? schedule[day] === 1 : !['sat', 'sun'].includes(day))),
    start: String(schedule?.start ?? '08:00'),
    stop: String(schedule?.stop ?? '18:00'),
    zone: String(schedule?.tz ?? zone),
    waits: rule ? rule.delay_till_schedule === 1 : true,
    isOutside: schedule?.invert === 1,
    manualRoles: rule?.manual_roles.split(',').filter(Boolean) ?? [],
    isBeforeApproval: rule?.options.bypass_approval === 1,
  }
}

function draftCondition({ lv, op, rv, lv_transform }: RuleCondition): DraftCondition {
  return { lv, op, value: Array.isArray(rv) ? rv.join(', ') : rv, transform: lv_transform ?? '' }
}

function minutesOf(seconds = 0): number {
  return Math.round(seconds / 60)
}

/** Seconds that were typed as minutes; a rule made by a program may wait for less than one. */
function secondsOf(minutes: number, old: number | undefined): number {
  return old !== undefined && minutesOf(old) === minutes ? old : minutes * 60
}

function lateImagesOf(rule: RoutingRule | undefined): LateStart {
  if (rule?.no_re_run === 1) return rule.only_re_run === 1 ? 'never' : 'not'
  return rule?.only_re_run === 1 ? 'only' : 'again'
}

/** A condition as the calls take it; one that nobody changed as it was, whose values may have commas or blanks. */
function sentOrOld(draft: DraftCondition, old: readonly RuleCondition[]): RuleCondition {
  const isSame = (one: DraftCondition) =>
    one.lv === draft.lv && one.op === draft.op && one.value === draft.value && one.transform === draft.transform
  return old.find((one) => isSame(draftCondition(one))) ?? sentCondition(draft)
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

/** Whether a program gave the rule the flag to wait and no hours to wait for. */
function hasNeverHours(rule: RoutingRule | undefined): boolean {
  return rule?.schedule === null && rule.delay_till_schedule === 1
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
    conditions: draft.conditions.map((one) => sentOrOld(one, rule?.conditions ?? [])),
    actions: draft.actions.filter(Boolean).map(actionOf),
    options: { ...rule?.options, match_any: draft.isAny ? 1 : 0, bypass_approval: draft.isBeforeApproval ? 1 : 0 },
    schedule: draft.hasHours ? { ...days, start, stop, tz: zone, ...(draft.isOutside ? { invert: 1 } : {}) } : {},
    delay_till_schedule: draft.waits && (draft.hasHours || hasNeverHours(rule)) ? 1 : 0,
    delay_seconds: secondsOf(draft.minutes, rule?.delay_seconds),
    no_re_run: ['not', 'never'].includes(draft.lateImages) ? 1 : 0,
    only_re_run: ['only', 'never'].includes(draft.lateImages) ? 1 : 0,
    delay_from_study_field: draft.after,
    delay_from_study_seconds: secondsOf(draft.afterMinutes, rule?.delay_from_study_seconds),
    manual_roles: draft.manualRoles.join(','),
  }
}

/** The faults that keep a draft from being saved or tested, in words. */
export function draftFault(draft: RuleDraft, isTest = false): string | undefined {
  if (!isTest && draft.name.trim() === '') return t('routing.missingName')
  if (draft.places.length === 0) return t('routing.missingPlace')
  const at = draft.conditions.findIndex((one) => conditionFault(sentCondition(one)) !== undefined)
  if (at >= 0) return t('routing.missingValue', { number: at + 1 })
  const isIdle = routeTriggers.every((flag) => !draft.when[flag])
  if (!isTest && draft.isOn && isIdle) return t('routing.missingWhen')
  if (!isTest && draft.isOn && !draft.actions.some(Boolean)) return t('routing.missingAction')
  const codeless = draft.actions.findIndex((one) => one.trim() === byCode)
  if (codeless >= 0) return t('routing.missingCode', { number: codeless + 1 })
  if (!isDelay(draft.minutes)) return t('routing.delayHint')
  if (!isDelay(draft.afterMinutes)) return t('routing.afterMinutesHint')
  return draft.hasHours && (draft.days.length === 0 || draft.start === draft.stop)
    ? t('routing.fault.schedule')
    : undefined
}

function isDelay(minutes: number): boolean {
  return Number.isFinite(minutes) && minutes >= 0 && minutes * 60 <= maxRouteDelaySeconds
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
  const after = draft.after ? t(`routing.sentenceAfter.${draft.after}`, { minutes: draft.afterMinutes }) : ''
  const hours = draft.hasHours
    ? t(draft.isOutside ? 'routing.sentenceOtherHours' : 'routing.sentenceHours', {
        days: draft.days.map((day) => t(`routing.day.${day}`)).join(', '),
        start: draft.start,
        stop: draft.stop,
        zone: draft.zone,
      })
    : ''
  const late = draft.lateImages === 'again' ? '' : ` ${t(`routing.lateText.${draft.lateImages}`)}`
  const sentence = t('routing.sentence', {
    places: draft.places.map(nameOf).join(or),
    when: was.join(or),
    conditions: conditions.length > 0 ? conditions.join(draft.isAny ? or : and) : t('routing.sentenceAny'),
    actions: acts.join(and),
    delay: later + after + hours,
  })
  return sentence + late
}
