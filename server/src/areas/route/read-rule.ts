import { ApiError, type ErrorCode } from '@hilum/contract/errors'
import {
  conditionFault,
  delayFields,
  maxRouteActions,
  maxRouteConditions,
  maxRouteDelaySeconds,
  maxRouteName,
  type RouteAction,
  type RouteCondition,
  type RouteFault,
  routeFaults,
  routeFlags,
  type RouteOptions,
  type RouteSchedule,
  weekdays,
} from '@hilum/contract/routing-rule'
import { uuidForm } from '@hilum/contract/wire'
import { withMeantRecipients } from './stored-action.ts'
import type { RuleRow } from './route.sql.ts'

type Flag = 0 | 1 | undefined
type SentRule = {
  name?: string | undefined
  conditions?: unknown
  actions?: unknown
  options?: unknown
  schedule?: unknown
  suspended?: Flag
  delay?: number | undefined
  delay_seconds?: number | undefined
  other_namespaces?: string | undefined
  manual_roles?: string | undefined
  delay_from_study_field?: string | undefined
  delay_from_study_seconds?: number | undefined
} & { [Name in (typeof routeFlags)[number]]?: Flag }

/** A refusal of one part of a rule: `error_data` has the number of the part, a code and words. */
export function refuse(code: ErrorCode, reason: RouteFault, at?: number): ApiError {
  return new ApiError(code, {
    subtype: reason,
    data: { reason, message: routeFaults[reason], ...(at === undefined ? {} : { at }) },
  })
}

/**
 * A rule with what was sent put over it, as far as its form goes.
 * @throws ApiError INVALID_CONDITION, INVALID_ACTION, INVALID_OPTION, INVALID_SCHEDULE, INVALID_OTHER_NAMESPACES,
 *   INVALID_MANUAL_ROLES, INVALID_FIELD (name, a delay)
 */
export function readRule(before: RuleRow, sent: SentRule): RuleRow {
  const name = (sent.name ?? before.name).trim()
  if (name === '' || name.length > maxRouteName || /\p{Cc}/u.test(name)) throw wrongField('name')
  const put = <T>(value: unknown, read: (value: unknown) => T, old: T): T => (value === undefined ? old : read(value))
  return {
    ...before,
    name,
    suspended: sent.suspended === undefined ? before.suspended : sent.suspended === 1,
    flags: routeFlags.filter((flag) => (sent[flag] === undefined ? before.flags.includes(flag) : sent[flag] === 1)),
    conditions: put(sent.conditions, readConditions, before.conditions),
    actions: put(sent.actions, (v) => withMeantRecipients(readActions(v), before.actions), before.actions),
    options: put(sent.options, readOptions, before.options),
    schedule: put(sent.schedule, readSchedule, before.schedule),
    delay_seconds: readDelay(sent) ?? before.delay_seconds,
    other_namespaces: put(
      sent.other_namespaces,
      (v) => readIds(v, 'INVALID_OTHER_NAMESPACES'),
      before.other_namespaces,
    ),
    manual_roles: put(sent.manual_roles, (v) => readIds(v, 'INVALID_MANUAL_ROLES'), before.manual_roles),
    delay_from_study_field: put(sent.delay_from_study_field, readDelayField, before.delay_from_study_field),
    delay_from_study_seconds: put(
      sent.delay_from_study_seconds,
      (v) => seconds(Number(v), 'delay_from_study_seconds'),
      before.delay_from_study_seconds,
    ),
  }
}

function readConditions(sent: unknown): RouteCondition[] {
  const list = listOf(sent, 'INVALID_CONDITION', maxRouteConditions)
  return list.map((one, at) => {
    const read = withList(one)
    const fault = conditionFault(read)
    if (fault) throw refuse('INVALID_CONDITION', fault, at)
    const { lv, op, rv, lv_transform } = read as RouteCondition // conditionFault has found nothing
    return { lv, op, rv, ...(lv_transform ? { lv_transform } : {}) }
  })
}

/** The right side of `in` is a list, or the JSON text of one. */
function withList(one: unknown): unknown {
  if (typeof one !== 'object' || one === null) return one
  const { op, rv } = one as Record<string, unknown>
  if (typeof rv === 'number') return { ...one, rv: String(rv) }
  if (op !== 'in' || typeof rv !== 'string') return one
  try {
    return { ...one, rv: JSON.parse(rv) as unknown }
  } catch {
    return { ...one, rv: rv.split(',').map((word) => word.trim()) }
  }
}

const kinds = ['namespace', 'webhook', 'destination', 'share_code'] as const
const unavailable = ['first_working_destination', 'destination_hl7_orm', 'share_email']
const maxShareCode = 100

/** Actions have one key; `type` and `name` of an answer may come back with it. */
function readActions(sent: unknown): RouteAction[] {
  return listOf(sent, 'INVALID_ACTION', maxRouteActions).map((one, at) => {
    if (typeof one !== 'object' || one === null) throw refuse('INVALID_ACTION', 'UNKNOWN_ACTION', at)
    const { type: _type, name: _name, ...action } = one as Record<string, unknown>
    const [[kind, uuid] = ['', ''], ...more] = Object.entries(action)
    if (unavailable.includes(kind)) throw refuse('INVALID_ACTION', 'NOT_AVAILABLE', at)
    const known = kinds.find((one) => one === kind)
    if (!known || more.length > 0) throw refuse('INVALID_ACTION', 'UNKNOWN_ACTION', at)
    if (known === 'share_code') return { share_code: readCode(uuid, at) }
    // places by the alias of a physician
    if (['PERSONAL', 'GROUP', 'LOCATION'].includes(String(uuid))) throw refuse('INVALID_ACTION', 'NOT_AVAILABLE', at)
    if (typeof uuid !== 'string' || !uuidForm.test(uuid)) throw refuse('INVALID_ACTION', 'GONE', at)
    return { [known]: uuid.toLowerCase() } as RouteAction // one of the keys
  })
}

function readCode(sent: unknown, at: number): string {
  const code = typeof sent === 'string' ? sent.trim() : ''
  if (code === '' || code.length > maxShareCode || /\p{Cc}/u.test(code)) throw refuse('INVALID_ACTION', 'BAD_VALUE', at)
  return code
}

function readOptions(sent: unknown): RouteOptions {
  const options: RouteOptions = {}
  for (const [name, value] of Object.entries(hashOf(sent, 'INVALID_OPTION'))) {
    if (name !== 'bypass_approval' && name !== 'match_any') throw refuse('INVALID_OPTION', 'NOT_AVAILABLE')
    if (isOn(value)) options[name] = 1
  }
  return options
}

const clock = /^([01]\d|2[0-3]):[0-5]\d$/

function readSchedule(sent: unknown): RouteSchedule | null {
  const hash = hashOf(sent, 'INVALID_SCHEDULE')
  if (Object.keys(hash).length === 0) return null
  const { start = '00:00', stop = '24:00', tz = 'UTC' } = hash
  if (typeof tz !== 'string' || !isZone(tz)) throw refuse('INVALID_SCHEDULE', 'UNKNOWN_ZONE')
  const days = Object.fromEntries(weekdays.filter((day) => isOn(hash[day])).map((day) => [day, 1]))
  const isGood =
    typeof start === 'string' &&
    typeof stop === 'string' &&
    clock.test(start) &&
    (clock.test(stop) || stop === '24:00') &&
    start !== stop &&
    Object.keys(days).length > 0
  if (!isGood) throw refuse('INVALID_SCHEDULE', 'BAD_VALUE')
  return { ...days, start, stop, tz, ...(isOn(hash.invert) ? { invert: 1 } : {}) }
}

function isZone(tz: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: tz }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

function readDelay({ delay, delay_seconds }: SentRule): number | undefined {
  if (delay_seconds !== undefined) return seconds(delay_seconds, 'delay_seconds')
  return delay === undefined ? undefined : seconds(delay * 60, 'delay')
}

function seconds(value: number, field: string): number {
  if (!Number.isInteger(value) || value < 0 || value > maxRouteDelaySeconds) throw wrongField(field)
  return value
}

function readDelayField(sent: unknown): string {
  const field = String(sent)
  if (field !== '' && !delayFields.some((one) => one === field)) throw wrongField('delay_from_study_field')
  return field
}

function readIds(sent: unknown, code: ErrorCode): string[] {
  const ids = String(sent)
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .filter(Boolean)
  if (!ids.every((one) => uuidForm.test(one))) throw refuse(code, 'GONE')
  return [...new Set(ids)]
}

function listOf(sent: unknown, code: ErrorCode, most: number): unknown[] {
  const list = sent === '' || sent === null ? [] : sent
  if (!Array.isArray(list)) throw refuse(code, 'NOT_A_LIST')
  if (list.length > most) throw refuse(code, 'TOO_MANY')
  return list
}

function hashOf(sent: unknown, code: ErrorCode): Record<string, unknown> {
  if (sent === '' || sent === null) return {}
  if (typeof sent !== 'object' || Array.isArray(sent)) throw refuse(code, 'BAD_VALUE')
  return sent as Record<string, unknown>
}

function isOn(value: unknown): boolean {
  return value === 1 || value === '1' || value === true
}

function wrongField(field: string): ApiError {
  return new ApiError('INVALID_FIELD', { subtype: field })
}
