import { ApiError } from '@hilum/contract/errors'
import {
  type Condition,
  conditions,
  type FilterTerm,
  type ListQuery,
  type ListRules,
  maxRows,
  type SortTerm,
} from '@hilum/contract/list'

const known: ReadonlySet<string> = new Set(conditions)

/**
 * Reads `filter.*`, `sort_by`, `page.*` and `fields.*` of a list call (`api-facts` §1.1–1.2).
 * @throws ApiError INVALID_FIELD, INVALID_CONDITION, INVALID_SORT_FIELD, INVALID_SORT_ORDER, INVALID_INTEGER, INVALID_JSON
 */
export function readListQuery(rules: ListRules, raw: Readonly<Record<string, unknown>>): ListQuery {
  const filters: FilterTerm[] = []
  for (const [key, value] of Object.entries(raw)) {
    if (key.startsWith('filter.') && key !== 'filter.tz') filters.push(readFilter(rules, key, value))
  }
  const timeZone = textOf(raw['filter.tz'])
  const fields = readFields(rules, raw)
  return {
    filters,
    sort: readSort(rules, textOf(raw.sort_by)),
    page: {
      number: readWhole(raw['page.number'], 'page.number', 1, 1, 1_000_000),
      rows: readWhole(raw['page.rows'], 'page.rows', rules.defaultRows, 1, maxRows),
    },
    ...(timeZone ? { timeZone } : {}),
    ...(fields ? { fields } : {}),
  }
}

function readFilter(rules: ListRules, key: string, value: unknown): FilterTerm {
  const expression = key
  const at = key.lastIndexOf('.')
  const field = key.slice('filter.'.length, at)
  const condition = key.slice(at + 1)
  if (!known.has(condition)) throw new ApiError('INVALID_CONDITION', { subtype: expression })
  if (!(field in rules.filters)) throw new ApiError('INVALID_FIELD', { subtype: expression })
  const isList = condition === 'in' || condition === 'in_or_null'
  return {
    field,
    condition: condition as Condition,
    value: isList ? listOf(value, expression) : (textOf(value) ?? ''),
    expression,
  }
}

function readSort(rules: ListRules, sent: string | undefined): SortTerm[] {
  if (!sent) return []
  return sent.split(',').map((term) => {
    const match = /^(.+?)-(asc|desc)$/.exec(term.trim())
    if (!match) throw new ApiError('INVALID_SORT_ORDER', { subtype: term.trim() })
    const [, field, order] = match as unknown as [string, string, string]
    if (!rules.sorts.includes(field)) throw new ApiError('INVALID_SORT_FIELD', { subtype: field })
    return { field, descending: order === 'desc' }
  })
}

/** `fields.study=["a","b"]` or, for studies, plain `fields`. */
function readFields(rules: ListRules, raw: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const sent = raw[`fields.${rules.object}`] ?? raw.fields
  return sent === undefined || sent === '' ? undefined : listOf(sent, `fields.${rules.object}`)
}

function listOf(value: unknown, name: string): readonly string[] {
  if (Array.isArray(value)) return value.map(String)
  const sent = textOf(value) ?? ''
  try {
    const parsed: unknown = JSON.parse(sent)
    if (Array.isArray(parsed)) return parsed.map(String)
  } catch (cause) {
    throw new ApiError('INVALID_JSON', { subtype: name }, { cause })
  }
  throw new ApiError('INVALID_JSON', { subtype: name })
}

function readWhole(value: unknown, name: string, absent: number, least: number, most: number): number {
  const sent = textOf(value)
  if (sent === undefined || sent === '') return absent
  if (!/^\d{1,9}$/.test(sent)) throw new ApiError('INVALID_INTEGER', { subtype: name })
  return Math.min(most, Math.max(least, Number(sent)))
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return Array.isArray(value) ? textOf(value[0]) : undefined
}
