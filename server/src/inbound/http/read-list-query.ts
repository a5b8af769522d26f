import { ApiError } from '@hilum/contract/errors'
import {
  isCustomField,
  listedName,
  type FilterTerm,
  type ListQuery,
  type ListRules,
  maxRows,
  type SortTerm,
} from '@hilum/contract/list'
import { readFilter, readList, readFilterText } from '../../areas/read-filter.ts'

/**
 * Reads `filter.*`, `sort_by`, `page.*` and `fields.*` of a list call (`api-facts` §1.1–1.2).
 * @throws ApiError INVALID_FIELD, INVALID_CONDITION, INVALID_SORT_FIELD, INVALID_SORT_ORDER, INVALID_INTEGER, INVALID_JSON
 */
export function readListQuery(rules: ListRules, raw: Readonly<Record<string, unknown>>): ListQuery {
  const filters: FilterTerm[] = []
  for (const [key, value] of Object.entries(raw)) {
    if (key.startsWith('filter.') && key !== 'filter.tz') filters.push(readFilter(rules, key, value))
  }
  const timeZone = readFilterText(raw['filter.tz'])
  const fields = readFields(rules, raw)
  const filterId = readFilterText(raw.filter_id)
  if (filterId && !rules.savedSearches) throw new ApiError('FILTER_NOT_FOUND', { subtype: filterId })
  return {
    filters,
    sort: readSort(rules, readFilterText(raw.sort_by)),
    page: {
      number: readWhole(raw['page.number'], 'page.number', 1, 1, 1_000_000),
      rows: readWhole(raw['page.rows'], 'page.rows', rules.defaultRows, 1, maxRows),
      wantsTotal: readFlag(raw['page.total'], 'page.total'),
    },
    ...(timeZone ? { timeZone } : {}),
    ...(fields ? { fields } : {}),
    ...(filterId ? { filterId } : {}),
  }
}

function readSort(rules: ListRules, sent: string | undefined): SortTerm[] {
  if (!sent) return []
  return sent.split(',').map((term) => {
    const match = /^(.+?)-(asc|desc)$/.exec(term.trim())
    if (!match) throw new ApiError('INVALID_SORT_ORDER', { subtype: term.trim() })
    const [, field, order] = match as unknown as [string, string, string]
    if (!rules.sorts.includes(field) && !isCustomField(rules, field))
      throw new ApiError('INVALID_SORT_FIELD', { subtype: field })
    return { field: listedName(rules, field), descending: order === 'desc' }
  })
}

/** `fields.study=["a","b"]` or, for studies, plain `fields`. */
function readFields(rules: ListRules, raw: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const sent = raw[`fields.${rules.object}`] ?? raw.fields
  return sent === undefined || sent === '' ? undefined : readList(sent, `fields.${rules.object}`)
}

function readWhole(value: unknown, name: string, absent: number, least: number, most: number): number {
  const sent = readFilterText(value)
  if (sent === undefined || sent === '') return absent
  const number = /^\d{1,9}$/.test(sent) ? Number(sent) : Number.NaN
  if (!(number >= least && number <= most)) throw new ApiError('INVALID_INTEGER', { subtype: name })
  return number
}

function readFlag(value: unknown, name: string): boolean {
  const sent = readFilterText(value) ?? ''
  if (!['', '0', '1'].includes(sent)) throw new ApiError('INVALID_FLAG', { subtype: name })
  return sent === '1'
}
