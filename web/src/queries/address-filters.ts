import { modalities } from '@hilum/contract/modalities'
import { type DateRange, datePresets, isDateRange } from '../format/date-range.ts'
import { type AddressFilters, type FilterParameter, filterParameters } from '../state/list-search.ts'
import { filledFields, noFilters, type SearchFilters } from '../state/search-filters.ts'
import { isAll, workFilters } from './search-expressions.ts'

/** The field that each parameter of an address stands for. */
const fieldOf = {
  work: 'work',
  modality: 'modalities',
  starred: 'starred',
  thin: 'thin',
  unread: 'unread',
  mixed: 'mixed',
  incomplete: 'incomplete',
  exam: 'studyDate',
  uploaded: 'uploaded',
} as const satisfies Record<FilterParameter, keyof SearchFilters>

type OpenFilters = Pick<SearchFilters, (typeof fieldOf)[FilterParameter]>

/** A parameter with a value that nothing is known by. */
interface AddressFault {
  field: (typeof fieldOf)[FilterParameter]
  value: string
}

/** True when the whole search can stand in an address: nothing in it was typed by a person, and nothing names a patient. */
export function isOpenSearch(filters: SearchFilters): boolean {
  const readBack = { ...noFilters, ...fromAddress(toAddress(filters)) }
  return filledFields(filters).every((field) => JSON.stringify(readBack[field]) === JSON.stringify(filters[field]))
}

/** The part of the search that may stand in an address; a field that is empty is undefined. */
export function toAddress(filters: SearchFilters): Record<FilterParameter, string | undefined> {
  return {
    work: readWork(filters.work),
    modality: isAll(filters.modalities) ? undefined : readModalities(filters.modalities.join('.'))?.join('.'),
    starred: writeChoice(filters.starred),
    thin: writeChoice(filters.thin),
    unread: writeChoice(filters.unread),
    mixed: writeChoice(filters.mixed),
    incomplete: writeChoice(filters.incomplete),
    exam: writeRange(filters.studyDate),
    uploaded: writeRange(filters.uploaded),
  }
}

/** The part of the search that an address has; fields that it lacks, or that it fills with what nobody knows, are empty. */
export function fromAddress(address: AddressFilters): OpenFilters {
  return {
    work: readWork(address.work) ?? noFilters.work,
    modalities: readModalities(address.modality) ?? noFilters.modalities,
    starred: readChoice(address.starred) ?? '',
    thin: readChoice(address.thin) ?? '',
    unread: readChoice(address.unread) ?? '',
    mixed: readChoice(address.mixed) ?? '',
    incomplete: readChoice(address.incomplete) ?? '',
    studyDate: readRange(address.exam) ?? noFilters.studyDate,
    uploaded: readRange(address.uploaded) ?? noFilters.uploaded,
  }
}

/** Fields that an address fills in a way that nobody knows, to be told in words. */
export function readAddressFaults(address: AddressFilters): readonly AddressFault[] {
  return filterParameters.flatMap((name) => {
    const value = address[name]
    return value === undefined || readers[name](value) !== undefined ? [] : [{ field: fieldOf[name], value }]
  })
}

/** Whether an address says anything of the search. */
export function hasFilters(address: AddressFilters): boolean {
  return filterParameters.some((name) => address[name] !== undefined)
}

function writeChoice(choice: string): string | undefined {
  return choice === '' ? undefined : choice === '1' ? 'yes' : 'no'
}

function readChoice(text: string | undefined): '1' | '0' | undefined {
  return text === 'yes' ? '1' : text === 'no' ? '0' : undefined
}

function readWork(text: string | undefined): string | undefined {
  return workFilters.find((one) => one === text && one !== 'any')
}

/** Codes with full stops between; undefined when one of them is none. */
function readModalities(text: string | undefined): readonly string[] | undefined {
  const codes = text?.split('.') ?? []
  const isKnown = codes.length > 0 && codes.every((code) => modalities.some((one) => one.code === code))
  return isKnown ? [...new Set(codes)] : undefined
}

/** A range by its name, or its days as `2026-01-01_2026-01-31`. */
function writeRange(range: DateRange): string | undefined {
  if (range.preset === 'all') return undefined
  return range.preset === 'custom' ? `${range.from}_${range.to}` : range.preset
}

function readRange(text: string | undefined): DateRange | undefined {
  const preset = datePresets.find((one) => one === text && one !== 'all')
  if (preset) return { preset }
  const [from = '', to = '', ...rest] = text?.split('_') ?? []
  const range = { preset: 'custom', from, to }
  return isDateRange(range) && isDay(from) && isDay(to) && from <= to && rest.length === 0 ? range : undefined
}

/** Whether a day of this form is in the calendar. */
function isDay(day: string): boolean {
  const moment = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(day)
}

const readers: Record<FilterParameter, (text: string) => unknown> = {
  work: readWork,
  modality: readModalities,
  starred: readChoice,
  thin: readChoice,
  unread: readChoice,
  mixed: readChoice,
  incomplete: readChoice,
  exam: readRange,
  uploaded: readRange,
}
