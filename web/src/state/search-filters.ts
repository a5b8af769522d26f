import { create } from 'zustand'
import { createJSONStorage, persist } from 'zustand/middleware'
import type { DateRange } from '../format/date-range.ts'

/** SEARCH-10: all, yes, no. */
export type Choice = '' | '1' | '0'

/**
 * The search in force, as the form has it (SEARCH-05). A search names patients, so it lives in the browser's session;
 * the part without patients stands in the address besides.
 */
export interface SearchFilters {
  patientName: string
  /** A part of an MRN, or a whole accession number: whichever has it. */
  number: string
  mrn: string
  /** As typed, MM-DD-YYYY. */
  birthDate: string
  sex: string
  accession: string
  referring: string
  modalities: readonly string[]
  starred: Choice
  thin: Choice
  unread: Choice
  /** Status of work; empty for any. */
  work: string
  /** Images of more than one patient. */
  mixed: Choice
  /** Not all announced images arrived. */
  incomplete: Choice
  studyUid: string
  studyUuid: string
  sourceTitle: string
  destinationTitle: string
  studyDate: DateRange
  uploaded: DateRange
  tags: readonly string[]
  description: string
}

export const noFilters: SearchFilters = {
  patientName: '',
  number: '',
  mrn: '',
  birthDate: '',
  sex: '',
  accession: '',
  referring: '',
  modalities: [],
  starred: '',
  thin: '',
  unread: '',
  work: '',
  mixed: '',
  incomplete: '',
  studyUid: '',
  studyUuid: '',
  sourceTitle: '',
  destinationTitle: '',
  studyDate: { preset: 'all' },
  uploaded: { preset: 'all' },
  tags: [],
  description: '',
}

export const useSearchFilters = create<SearchFilters>()(
  persist(() => noFilters, { name: 'hilum.search', storage: createJSONStorage(() => sessionStorage) }),
)

/** The search in force, read outside of what is drawn. */
export function readSearchFilters(): SearchFilters {
  return useSearchFilters.getState()
}

export function setSearchFilters(filters: SearchFilters): void {
  useSearchFilters.setState(filters, true)
}

/** SHELL-10: before a new case, a request or a retrieval, and on Clear Search. Leaves nothing in the browser storage (AUTH-16). */
export function clearSearchFilters(): void {
  setSearchFilters(noFilters)
  useSearchFilters.persist.clearStorage()
}

/** The names of the fields that something is looked for by. */
export function filledFields(filters: SearchFilters): readonly (keyof SearchFilters)[] {
  const names = Object.keys(noFilters) as (keyof SearchFilters)[] // the keys of the type
  return names.filter((name) => {
    const value = filters[name]
    if (typeof value === 'string') return value.trim() !== ''
    return 'preset' in value ? value.preset !== 'all' : value.length > 0
  })
}

/** Fields of the search that the one field may stand for, the first that is filled being shown in it. */
const shownFields = ['patientName', 'number', 'studyUid'] as const

/** The field whose text the one field shows; undefined while none of them is filled. */
export function shownField(filters: SearchFilters): (typeof shownFields)[number] | undefined {
  return shownFields.find((field) => filters[field].trim() !== '')
}

/** Criteria that narrow a search beside the text of the one field: tags, and all others. */
export function countNarrowing(filters: SearchFilters): { tags: number; others: number } {
  const shown = shownField(filters)
  const others = filledFields(filters).filter((field) => field !== shown && field !== 'tags')
  return { tags: filters.tags.length, others: others.length }
}

/** The search by the text of the one field alone. */
export function withTextAlone(filters: SearchFilters): SearchFilters {
  const shown = shownField(filters)
  return shown ? { ...noFilters, [shown]: filters[shown] } : noFilters
}
