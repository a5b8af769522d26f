import { parseBoundedJson } from '@hilum/contract/bounded-json'
import { ApiError } from '@hilum/contract/errors'
import { maxFilterLength, maxFilterValues } from '@hilum/contract/limits'
import { type Condition, conditions, type FilterTerm, isListed, listedName, type ListRules } from '@hilum/contract/list'

const known: ReadonlySet<string> = new Set(conditions)

/**
 * Reads one expression `filter.FIELD.CONDITION` and its value (`api-facts` §1.1).
 * @throws ApiError INVALID_CONDITION, INVALID_FIELD, INVALID_JSON naming the expression
 */
export function readFilter(rules: ListRules, expression: string, value: unknown): FilterTerm {
  const at = expression.lastIndexOf('.')
  const field = listedName(rules, expression.slice('filter.'.length, at))
  const condition = expression.slice(at + 1)
  if (!known.has(condition)) throw new ApiError('INVALID_CONDITION', { subtype: expression })
  if (!isListed(rules, field)) throw new ApiError('INVALID_FIELD', { subtype: expression })
  const isList = condition === 'in' || condition === 'in_or_null'
  const read = isList ? readList(value, expression) : (readFilterText(value) ?? '')
  if (isTooLarge(read)) throw new ApiError('INVALID_FIELD', { subtype: expression })
  return { field, condition: condition as Condition, value: read, expression }
}

/** A value that no study can hold would only make the database compare it with every one. */
function isTooLarge(value: string | readonly string[]): boolean {
  if (typeof value === 'string') return value.length > maxFilterLength
  return value.length > maxFilterValues || value.some((one) => one.length > maxFilterLength)
}

/** A list of texts, typed or as JSON text. @throws ApiError INVALID_JSON */
export function readList(value: unknown, name: string): readonly string[] {
  try {
    const parsed: unknown = Array.isArray(value) ? value : parseBoundedJson(readFilterText(value) ?? '')
    if (Array.isArray(parsed) && parsed.every((one) => typeof one !== 'object')) return parsed.map(String)
  } catch (cause) {
    throw new ApiError('INVALID_JSON', { subtype: name }, { cause })
  }
  throw new ApiError('INVALID_JSON', { subtype: name })
}

/** A value of the wire as text; of a repeated key the first counts. */
export function readFilterText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return Array.isArray(value) ? readFilterText(value[0]) : undefined
}
