import {
  type ConditionOperator,
  type ConditionTransform,
  customFieldOf,
  isOrdering,
  kindOfField,
  type RouteCondition,
  type RouteOptions,
  type RouteSchedule,
  stampOf,
} from '@hilum/contract/routing-rule'

/** Values of a study that conditions ask about, with the corrections of its record. */
export interface RuledStudy {
  modalities: readonly string[]
  referring_physician: string
  source_ae_title: string
  destination_ae_title: string
  patientid: string
  /** YYYYMMDD, or empty. */
  study_date: string
  study_description: string
  status: string
  /** As DICOM writes it, e.g. 034Y. */
  patient_age: string
  patient_birth_date: string
  accession_number: string
  created: Date
  customfields: Readonly<Record<string, string>>
}

interface Verdict {
  isMet: boolean
  /** Numbers of the conditions that are not met, from 0. */
  failed: number[]
}

interface AskingRule {
  conditions: readonly RouteCondition[]
  options: RouteOptions
  schedule?: RouteSchedule | null
  saver_zone?: string
}

/**
 * Holds a study against the conditions of a rule: all of them, or one of them with `match_any`; none match every study. The
 * day of an arrival is that of the zone of the rule's hours, else of the person who saved the rule.
 */
export function evaluateConditions(
  { conditions, options, schedule, saver_zone: saverZone }: AskingRule,
  study: RuledStudy,
  now: Date,
): Verdict {
  const zone = schedule?.tz ?? (saverZone || 'UTC')
  const failed = conditions.flatMap((one, at) => (meetsCondition(one, study, now, zone) ? [] : [at]))
  const isMet =
    options.match_any === 1 ? conditions.length === 0 || failed.length < conditions.length : failed.length === 0
  return { isMet, failed }
}

/** @param zone time zone of the days on which a study arrived */
export function meetsCondition(
  { lv, op, rv, lv_transform }: RouteCondition,
  study: RuledStudy,
  now: Date,
  zone = 'UTC',
): boolean {
  const kind = kindOfField(lv)
  if (kind === undefined) return false
  const values = valuesOf(lv, study).map((value) =>
    lv_transform ? ageOf(value, lv_transform, now) : fold(value, kind),
  )
  const wanted = (typeof rv === 'string' ? [rv] : rv).map((value) => (lv_transform ? value : fold(value, kind)))
  const [first = ''] = wanted
  // where a day was written, or a part of a time, the study's time is that of the clock in the zone
  const isByClock =
    kind === 'stamp' && !lv_transform && (!wanted.some(isMoment) || op.includes('contains') || op.includes('begins'))
  const shown = isByClock ? values.map((value) => clockTime(value, zone)) : values
  if (isOrdering(op)) return shown.some((value) => compares(value, op, first, lv_transform ? 'number' : kind))
  const holds = (test: (value: string) => boolean) => shown.some(test)
  switch (op) {
    case 'equals':
      return holds((value) => isSame(value, first, kind))
    case 'not_equals':
      return !holds((value) => isSame(value, first, kind))
    case 'in':
      return holds((value) => wanted.some((one) => isSame(value, one, kind)))
    case 'contains':
      return holds((value) => value.includes(first))
    case 'not_contains':
      return !holds((value) => value.includes(first))
    case 'begins_with':
      return holds((value) => value.startsWith(first))
    case 'not_begins_with':
      return !holds((value) => value.startsWith(first))
    default:
      return false
  }
}

function valuesOf(lv: string, study: RuledStudy): readonly string[] {
  const field = customFieldOf(lv)
  if (field) return [study.customfields[field] ?? '']
  switch (lv) {
    case 'modality':
      return study.modalities.length > 0 ? study.modalities : ['']
    case 'study_status':
      return [study.status]
    case 'created':
      return [study.created.toISOString()]
    default:
      return [String(study[lv as keyof RuledStudy] ?? '')]
  }
}

/** Case and the spaces around do not count, nor the dashes of a date. */
function fold(value: string, kind: string): string {
  const text = value.trim().toLowerCase().normalize('NFC')
  return kind === 'date' ? text.replaceAll('-', '') : text
}

/** Whether a moment was written, and not a day alone. */
function isMoment(text: string): boolean {
  return text.length > 10
}

/** A moment as the clocks of a zone show it, e.g. `2026-03-02t11:00:00`. */
function clockTime(value: string, zone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  return format.format(new Date(value)).replace(' ', 't')
}

/** A moment equals the day that was written, where only a day was. */
function isSame(value: string, wanted: string, kind: string): boolean {
  if (kind === 'age' && value !== '' && wanted !== '') return yearsOf(value) === yearsOf(wanted)
  if (kind !== 'stamp') return value === wanted
  if (!isMoment(wanted)) return wanted !== '' && value.slice(0, 10).replaceAll('-', '') === wanted.replaceAll('-', '')
  return Date.parse(stampOf(value)) === Date.parse(stampOf(wanted))
}

function compares(value: string, op: ConditionOperator, wanted: string, kind: string): boolean {
  if (value === '') return false
  const order = orderOf(value, wanted, kind)
  if (order === undefined) return false
  if (op === 'greater_than') return order > 0
  if (op === 'greater_than_or_equals') return order >= 0
  return op === 'less_than' ? order < 0 : order <= 0
}

/** Numbers compare as numbers, dates and times as such, all else as text. */
function orderOf(value: string, wanted: string, kind: string): number | undefined {
  const read = kind === 'age' ? yearsOf : kind === 'stamp' ? (text: string) => Date.parse(stampOf(text)) : Number
  const [left, right] = [read(value), read(wanted)]
  if (!Number.isNaN(left) && !Number.isNaN(right)) return left - right
  if (kind !== 'text' && kind !== 'words') return undefined
  return value === wanted ? 0 : value < wanted ? -1 : 1
}

const perYear: Readonly<Record<string, number>> = { y: 1, m: 12, w: 52.1775, d: 365.2425 }

function yearsOf(age: string): number {
  const [, count, unit = 'y'] = /^(\d{1,3})([ymwd])?$/i.exec(age.trim()) ?? []
  return count === undefined ? Number.NaN : Number(count) / (perYear[unit.toLowerCase()] ?? 1)
}

const millisecondsOf: Readonly<Record<Exclude<ConditionTransform, 'years_old'>, number>> = {
  days_old: 86_400_000,
  hours_old: 3_600_000,
  minutes_old: 60_000,
}

/** Whole units since a date, as text; empty without a date. */
function ageOf(value: string, transform: ConditionTransform, now: Date): string {
  const text = value.length === 8 ? `${value.slice(0, 4)}-${value.slice(4, 6)}-${value.slice(6)}` : value
  const then = new Date(text === '' ? Number.NaN : stampOf(text))
  if (Number.isNaN(then.getTime())) return ''
  if (transform !== 'years_old') return String(Math.floor((now.getTime() - then.getTime()) / millisecondsOf[transform]))
  const years = now.getUTCFullYear() - then.getUTCFullYear()
  const isBefore =
    now.getUTCMonth() < then.getUTCMonth() ||
    (now.getUTCMonth() === then.getUTCMonth() && now.getUTCDate() < then.getUTCDate())
  return String(isBefore ? years - 1 : years)
}
