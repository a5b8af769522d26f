import { isDay } from './date-format.ts'
import { uuidForm } from './wire.ts'

/** Ways in after which a rule looks at a study: sent by people, sent by DICOM nodes (C-STORE, STOW), shared, or by hand. */
export const routeTriggers = ['on_upload', 'on_harvest', 'on_share', 'on_manual_route'] as const
export type RouteTrigger = (typeof routeTriggers)[number]

/** Flags of a rule by their names on the wire; `on_thin` is kept for outside clients and starts nothing here. */
export const routeFlags = [...routeTriggers, 'on_thin', 'no_re_run', 'only_re_run', 'delay_till_schedule'] as const
export type RouteFlag = (typeof routeFlags)[number]

/** Fields of a study that a condition can ask about, and how their values compare. */
export const conditionFields = {
  modality: 'words',
  referring_physician: 'text',
  source_ae_title: 'text',
  destination_ae_title: 'text',
  patientid: 'text',
  study_date: 'date',
  study_description: 'text',
  study_status: 'text',
  patient_age: 'age',
  patient_birth_date: 'date',
  accession_number: 'text',
  created: 'stamp',
} as const
type ConditionField = keyof typeof conditionFields

export const conditionOperators = [
  'equals',
  'not_equals',
  'in',
  'contains',
  'not_contains',
  'begins_with',
  'not_begins_with',
  'greater_than',
  'greater_than_or_equals',
  'less_than',
  'less_than_or_equals',
] as const
export type ConditionOperator = (typeof conditionOperators)[number]

/** Ages of a date in whole units at the time of the run. */
export const conditionTransforms = ['years_old', 'days_old', 'hours_old', 'minutes_old'] as const
export type ConditionTransform = (typeof conditionTransforms)[number]

export interface RouteCondition {
  /** One of `conditionFields`, or `customfield-{uuid}`. */
  lv: string
  op: ConditionOperator
  /** Text to compare with; for `in` a list. */
  rv: string | string[]
  lv_transform?: ConditionTransform
}

/** One act of a rule; `namespace` names the place of a group or a person, `share_code` whoever takes studies in by it. */
export type RouteAction = { namespace: string } | { webhook: string } | { destination: string } | { share_code: string }
export type RouteActionKind = 'namespace' | 'webhook' | 'destination' | 'share_code'

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

/** When a rule acts: days with `1`, from start to stop (HH:MM, past midnight too) in a time zone; `invert` means outside. */
export type RouteSchedule = Partial<Record<Weekday, 0 | 1>> & {
  start: string
  stop: string
  tz: string
  invert?: 0 | 1
}

export interface RouteOptions {
  /** Looks at studies that wait for approval as well: calls webhooks at once, and shares and pushes after the approval. */
  bypass_approval?: 0 | 1
  /** Ours: one condition is enough. */
  match_any?: 0 | 1
}

export const maxRouteConditions = 50
export const maxRouteActions = 20
export const maxRouteName = 200
export const maxConditionValue = 500
/** A rule waits a month at most. */
export const maxRouteDelaySeconds = 31 * 24 * 3600

/** Fields of a study from which a delay may be counted. */
export const delayFields = ['created', 'study_date'] as const

/** Faults of a rule, in words for a person who reads the answer. */
export const routeFaults = {
  NOT_A_LIST: 'A list is expected',
  TOO_MANY: 'There are too many of them',
  UNKNOWN_FIELD: 'No such field, or none that rules can ask about',
  UNKNOWN_OPERATOR: 'No such comparison',
  UNKNOWN_TRANSFORM: 'Only dates have an age, in years, days, hours or minutes',
  BAD_VALUE: 'The value is missing, or has the wrong form',
  UNKNOWN_ZONE: 'No such time zone',
  UNKNOWN_ACTION: 'No such action',
  NOT_AVAILABLE: 'This is not available here',
  GONE: 'What the rule names is not there or was deleted',
  TAKES_NO_SHARES: 'The place takes no shares',
  TAKES_NO_PUSH: 'The destination takes no studies',
  LOOP: 'The rule would send studies round in a circle',
} as const
export type RouteFault = keyof typeof routeFaults

/** How the values of a condition's left side compare, or undefined for a field that there is not. */
export function kindOfField(lv: string): 'words' | 'text' | 'date' | 'age' | 'stamp' | undefined {
  if (customFieldOf(lv)) return 'text'
  return Object.hasOwn(conditionFields, lv) ? conditionFields[lv as ConditionField] : undefined
}

/** The uuid in `customfield-{uuid}`. */
export function customFieldOf(lv: string): string | undefined {
  const uuid = lv.startsWith('customfield-') ? lv.slice('customfield-'.length) : ''
  return uuidForm.test(uuid) ? uuid.toLowerCase() : undefined
}

const ordering: ReadonlySet<string> = new Set([
  'greater_than',
  'greater_than_or_equals',
  'less_than',
  'less_than_or_equals',
])

/** Whether a comparison asks for more or less. */
export function isOrdering(op: string): boolean {
  return ordering.has(op)
}

const parts: ReadonlySet<string> = new Set(['contains', 'not_contains', 'begins_with', 'not_begins_with'])

/** Whether a comparison asks for a part of a text. */
function isPart(op: string): boolean {
  return parts.has(op)
}

/** The faults of a condition; shared by the form and the server. */
export function conditionFault(one: unknown): RouteFault | undefined {
  if (typeof one !== 'object' || one === null) return 'BAD_VALUE'
  const { lv, op, rv, lv_transform: transform } = one as Record<string, unknown>
  const kind = typeof lv === 'string' ? kindOfField(lv) : undefined
  if (!kind) return 'UNKNOWN_FIELD'
  if (!conditionOperators.some((known) => known === op)) return 'UNKNOWN_OPERATOR'
  const isAged = transform !== undefined && transform !== ''
  if (isAged) {
    const isDate = kind === 'date' || kind === 'stamp'
    if (!isDate || !conditionTransforms.some((known) => known === transform)) return 'UNKNOWN_TRANSFORM'
  }
  const values = op === 'in' ? rv : [rv]
  if (!Array.isArray(values) || values.length === 0) return 'BAD_VALUE'
  const isGood = (value: unknown) =>
    typeof value === 'string' && value.length <= maxConditionValue && fits(value, kind, isAged, op as ConditionOperator)
  return values.every(isGood) ? undefined : 'BAD_VALUE'
}

function fits(value: string, kind: string, isAged: boolean, op: ConditionOperator): boolean {
  if (isAged) return /^\d+$/.test(value)
  if (isOrdering(op) && value.trim() === '') return false
  // any text contains an empty one, and begins with it
  if (isPart(op) && value.replaceAll(kind === 'date' ? '-' : '', '').trim() === '') return false
  if (value === '' || !(isOrdering(op) || op === 'equals' || op === 'not_equals' || op === 'in')) return true
  if (kind === 'date') return isWholeDay(value)
  if (kind === 'stamp') return isWholeDay(value.slice(0, 10)) && !Number.isNaN(Date.parse(stampOf(value)))
  return kind !== 'age' || /^\d{1,3}[YMWD]?$/i.test(value)
}

/** A time as the wire or a person writes it, in UTC, for `Date.parse`. */
export function stampOf(value: string): string {
  const iso = value.trim().replace(' ', 'T')
  if (iso.length <= 10) return `${iso}T00:00:00Z`
  return /(?:Z|[+-]\d\d(?::?\d\d)?)$/i.test(iso) ? iso.replace(/([+-]\d\d)$/, '$1:00') : `${iso}Z`
}

function isWholeDay(value: string): boolean {
  const digits = value.replaceAll('-', '')
  return /^\d{8}$/.test(digits) && isDay(digits.slice(0, 4), digits.slice(4, 6), digits.slice(6))
}
