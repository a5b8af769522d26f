import type { LabelKey } from '../../labels/label.ts'

export const dateModes = ['any', 'between', 'equal', 'before', 'after'] as const
type DateMode = (typeof dateModes)[number]

/** The search form. Dates as the browser's own field gives them: YYYY-MM-DD, or empty. */
export interface RetrieveFields {
  destinations: readonly string[]
  name: string
  mrn: string
  accession: string
  description: string
  /** Empty for all. */
  modality: string
  mode: DateMode
  from: string
  to: string
}

/**
 * The first rule that a search breaks (RETRIEVE-07 to RETRIEVE-09).
 * @param today YYYY-MM-DD
 */
export function findSearchFault(
  options: RetrieveFields,
  today: string,
): (LabelKey & `retrieve.fault.${string}`) | undefined {
  const { mode, from, to } = options
  if (options.destinations.length === 0) return 'retrieve.fault.destination'
  const values = [options.name, options.mrn, options.accession, options.description, options.modality]
  if (values.every((one) => one.trim() === '')) return 'retrieve.fault.value'
  if (mode === 'any') return undefined
  if (mode === 'between' ? (from === '') !== (to === '') : from === '')
    return mode === 'between' ? 'retrieve.fault.between' : 'retrieve.fault.date'
  if (from > today || (mode === 'between' && to > today)) return 'retrieve.fault.future'
  return mode === 'between' && to < from ? 'retrieve.fault.order' : undefined
}

/**
 * First moment of a search, and the first one after it (RETRIEVE-06). Between holds both of its days, before and after
 * leave theirs out.
 */
export function datesOf({ mode, from, to }: Pick<RetrieveFields, 'mode' | 'from' | 'to'>): {
  start_datetime?: string
  end_datetime?: string
} {
  if (mode === 'any' || from === '') return {}
  if (mode === 'equal') return { start_datetime: from, end_datetime: nextDay(from) }
  if (mode === 'before') return { end_datetime: from }
  if (mode === 'after') return { start_datetime: nextDay(from) }
  return { start_datetime: from, end_datetime: nextDay(to) }
}

function nextDay(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}
