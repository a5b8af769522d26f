/** Filter conditions of the wire (`api-facts` §1.1). */
export const conditions = [
  'equals',
  'equals_or_null',
  'not_equals',
  'not_equals_or_null',
  'like',
  'gt',
  'ge',
  'lt',
  'le',
  'in',
  'in_or_null',
] as const
export type Condition = (typeof conditions)[number]

/** How a listed field compares: text ignores case, exact does not; tags and virtual fields are the area's own. */
export type FieldKind = 'text' | 'exact' | 'uuid' | 'integer' | 'flag' | 'date' | 'stamp' | 'tags' | 'virtual'

export interface ListRules {
  /** Singular name of the listed object, as in `fields.study`. */
  object: string
  /** Key of the reply that holds the rows. */
  rowsKey: string
  filters: Readonly<Record<string, FieldKind>>
  sorts: readonly string[]
  defaultRows: number
  /** True of a call that counts: it has filters, but neither rows nor an order. */
  isCount?: boolean
  /** True of a call that makes a file of the rows: it has filters and an order, and no rows. */
  isReport?: boolean
  /** True where a saved search narrows the list, by `filter_id`. */
  savedSearches?: boolean
  /** True where custom fields are filtered and sorted by too, as `customfield-{uuid}`. */
  customFields?: boolean
}

const customFieldForm = /^customfield-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether this list can be filtered by the field. */
export function isListed(rules: ListRules, field: string): boolean {
  return Object.hasOwn(rules.filters, field) || isCustomField(rules, field)
}

/** The name of a field as lists know it: a uuid may be written with capitals. */
export function listedName(rules: ListRules, field: string): string {
  return isCustomField(rules, field) ? field.toLowerCase() : field
}

export function isCustomField(rules: ListRules, field: string): boolean {
  return rules.customFields === true && customFieldForm.test(field)
}

/** Most rows a caller may ask for in one page. */
export const maxRows = 5000

export interface FilterTerm {
  field: string
  condition: Condition
  /** Text of the value; a list for `in` and `in_or_null`. */
  value: string | readonly string[]
  /** The expression as it was sent, for error_subtype. */
  expression: string
}
export interface SortTerm {
  field: string
  descending: boolean
}
/** A list request after parsing: what to look for, in which order, which page, and which fields to give back. */
export interface ListQuery {
  filters: readonly FilterTerm[]
  sort: readonly SortTerm[]
  /** `wantsTotal`: count the rows of all pages even where that takes its time. */
  page: { number: number; rows: number; wantsTotal?: boolean }
  /** Zone for date comparisons as sent in `filter.tz`; the user's own zone wins. */
  timeZone?: string
  fields?: readonly string[]
  /** A saved search that narrows the list further. */
  filterId?: string
}
