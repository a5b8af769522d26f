import { modalities } from '@hilum/contract/modalities'
import type { ListParameters } from '../api/call-api.ts'
import { addDays, type DateRange, daysOf } from '../format/date-range.ts'
import type { Choice, SearchFilters } from '../state/search-filters.ts'

/** Whether work is done, as lists are narrowed by it. */
export const workFilters = ['any', 'open', 'new', 'in_progress', 'done'] as const
export type WorkFilter = (typeof workFilters)[number]

/** The work filter of an address or a kept search; an unknown one is any. */
export function readWorkFilter(work: string | undefined): WorkFilter {
  return workFilters.find((one) => one === work) ?? 'any'
}

/** Statuses of work not done: new, or taken by somebody. */
const openWork = ['new', 'in_progress'] as const

/** A status of work as the wire takes it. */
export function workExpression(work: WorkFilter): ListParameters {
  if (work === 'any') return {}
  return work === 'open' ? { 'filter.work_status.in': openWork } : { 'filter.work_status.equals': work }
}

/**
 * The search as the wire takes it: the accession number and our own identifier exactly, other text in part (SEARCH-12).
 * @param today the day on which "last 7 days" ends, YYYY-MM-DD
 */
export function toExpressions(filters: SearchFilters, today: string): ListParameters {
  const birthDate = readBirthDate(filters.birthDate)
  return drop({
    'filter.patient_name.like': part(filters.patientName),
    'filter.SMART_SEARCH.equals': filters.number.trim(),
    'filter.patientid.like': part(filters.mrn),
    'filter.patient_birth_date.equals': birthDate,
    'filter.patient_sex.equals': filters.sex,
    'filter.accession_number.equals': filters.accession.trim(),
    'filter.referring_physician.like': part(filters.referring),
    'filter.modality.in': isAll(filters.modalities) ? [] : filters.modalities,
    'filter.star.equals': filters.starred,
    'filter.thin.equals': filters.thin,
    'filter.unread.equals': filters.unread,
    ...workExpression(readWorkFilter(filters.work)),
    'filter.mixed_patients.equals': filters.mixed,
    ...arrivalExpression(filters.incomplete),
    'filter.study_uid.like': part(filters.studyUid),
    'filter.uuid.equals': filters.studyUuid.trim(),
    'filter.source_ae_title.like': part(filters.sourceTitle),
    'filter.destination_ae_title.like': part(filters.destinationTitle),
    ...studyDays(filters.studyDate, today),
    ...uploadDays(filters.uploaded, today),
    'filter.tags.in': filters.tags,
    'filter.study_description.like': part(filters.description.replace(/\s+/g, ' ')),
  })
}

/** Images that still arrive count as missing too. */
function arrivalExpression(incomplete: Choice): ListParameters {
  if (incomplete === '') return {}
  return incomplete === '1'
    ? { 'filter.arrival.in': ['receiving', 'incomplete'] }
    : { 'filter.arrival.equals': 'complete' }
}

/** Every modality chosen is the same as none: whatever a study has, it is found. */
export function isAll(chosen: readonly string[]): boolean {
  return chosen.length === modalities.length
}

/** SEARCH-13: MM-DD-YYYY as YYYYMMDD; undefined when it is no day. */
export function readBirthDate(typed: string): string | undefined {
  const parts = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/.exec(typed.trim())
  if (!parts) return undefined
  const [, month = '', day = '', year = ''] = parts
  const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const moment = new Date(`${written}T00:00:00Z`)
  const isDay = !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(written)
  return isDay ? written.replaceAll('-', '') : undefined
}

function studyDays(range: DateRange, today: string): ListParameters {
  const days = daysOf(range, today)
  if (!days) return {}
  return {
    'filter.study_date.ge': days.from.replaceAll('-', ''),
    'filter.study_date.le': days.to.replaceAll('-', ''),
  }
}

/** Moments, so the last day ends where the next begins. */
function uploadDays(range: DateRange, today: string): ListParameters {
  const days = daysOf(range, today)
  if (!days) return {}
  return { 'filter.created.ge': `${days.from} 00:00:00`, 'filter.created.lt': `${addDays(days.to, 1)} 00:00:00` }
}

/** `%` stands for anything between, so LAST%FIRST finds both parts. */
function part(typed: string): string {
  const text = typed.trim()
  return text ? `%${text}%` : ''
}

function drop(expressions: ListParameters): ListParameters {
  return Object.fromEntries(
    Object.entries(expressions).filter(
      ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  )
}
