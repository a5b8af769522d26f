import { ApiError } from '@hilum/contract/errors'
import type { Condition, FieldKind, FilterTerm, SortTerm } from '@hilum/contract/list'
import { type RawBuilder, sql } from 'kysely'
import { readDicomDate, readStampRange, type StampRange } from './filter-stamp.ts'

/** A listed field: a column that compares by its kind, or – for virtual fields – an answer of the area's own. */
type FilterColumn =
  | {
      kind: Exclude<FieldKind, 'virtual'>
      column: RawBuilder<unknown>
      /** Of text that is kept in lower case, so that an index on the bare column serves. */
      isFolded?: boolean
    }
  | ((term: FilterTerm, zone: string) => RawBuilder<unknown>)
export type FilterColumns = Readonly<Record<string, FilterColumn>>

/**
 * The condition of a list, all terms ANDed; `true` without any. Names come from `columns` only, values are bound.
 * @param zone from `filterZone`
 * @throws ApiError INVALID_CONDITION for a condition that the field's kind does not know; INVALID_FIELD for a value
 *   of the wrong form or a field that `columns` lacks
 */
export function filterSql(terms: readonly FilterTerm[], columns: FilterColumns, zone: string): RawBuilder<unknown> {
  if (terms.length === 0) return sql`true`
  return sql.join(
    terms.map((term) => sql`(${termSql(term, columns, zone)})`),
    sql` and `,
  )
}

function termSql(term: FilterTerm, columns: FilterColumns, zone: string): RawBuilder<unknown> {
  const found = Object.hasOwn(columns, term.field) ? columns[term.field] : undefined
  if (!found) throw wrongValue(term)
  if (typeof found === 'function') return found(term, zone)
  const { kind, column } = found
  switch (kind) {
    case 'text':
      return textSql(term, column, (value) => sql`lower(${value})`, foldedColumn(found))
    case 'exact':
      return textSql(term, column, (value) => value)
    case 'date':
      return dateSql(term, column)
    case 'stamp':
      return stampSql(term, column, zone)
    case 'uuid':
      return equalitySql(term, column, 'uuid', (value) => (uuidForm.test(value) ? value : undefined))
    case 'integer':
      return integerSql(term, column)
    case 'flag':
      return equalitySql(term, column, 'boolean', (value) => readFlag(value, term))
    case 'tags':
      return tagsSql(term, column)
  }
}

const comparisons: Partial<Record<Condition, RawBuilder<unknown>>> = {
  gt: sql`>`,
  ge: sql`>=`,
  lt: sql`<`,
  le: sql`<=`,
}
const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Empty text is how the tables say "none", so `…_or_null` finds it too. */
function textSql(
  term: FilterTerm,
  column: RawBuilder<unknown>,
  fold: (value: RawBuilder<unknown>) => RawBuilder<unknown>,
  folded: RawBuilder<unknown> = fold(column),
): RawBuilder<unknown> {
  const value = sql`${String(term.value)}::text`
  const isEmpty = sql`coalesce(${column}, '') = ''`
  const comparison = comparisons[term.condition]
  if (comparison) return sql`${folded} ${comparison} ${fold(value)}`
  switch (term.condition) {
    case 'equals':
      return sql`${folded} = ${fold(value)}`
    case 'equals_or_null':
      return sql`${folded} = ${fold(value)} or ${isEmpty}`
    case 'not_equals':
      return sql`${folded} <> ${fold(value)}`
    case 'not_equals_or_null':
      return sql`${folded} <> ${fold(value)} or ${isEmpty}`
    case 'like':
      return sql`${folded} like ${fold(sql`${likePattern(String(term.value))}::text`)}`
    case 'in':
    case 'in_or_null': {
      const list = sql`array(select ${fold(sql`x`)} from unnest(${listOf(term)}::text[]) x)`
      const among = sql`${folded} = any(${list})`
      return term.condition === 'in' ? among : sql`${among} or ${isEmpty}`
    }
  }
  throw wrongCondition(term)
}

function foldedColumn({ column, isFolded }: { column: RawBuilder<unknown>; isFolded?: boolean }): RawBuilder<unknown> {
  return isFolded ? column : sql`lower(${column})`
}

/** `%` is the only wildcard of the wire; `_` and `\` stand for themselves. */
export function likePattern(value: string): string {
  return value.replace(/[\\_]/g, (sign) => `\\${sign}`)
}

/** DICOM dates are text of a fixed form, so text order is date order; an unknown date is neither before nor after. */
function dateSql(term: FilterTerm, column: RawBuilder<unknown>): RawBuilder<unknown> {
  if (term.condition === 'like') {
    const sent = String(term.value)
    const whole = readDicomDate(sent.replace(/^%|%$/g, ''))
    return textSql({ ...term, value: whole ?? sent.replaceAll('-', '') }, column, (value) => value)
  }
  const value = Array.isArray(term.value)
    ? term.value.map((one) => readDate(one, term))
    : readDate(String(term.value), term)
  const compared = textSql({ ...term, value }, column, (one) => one)
  return comparisons[term.condition] ? sql`${compared} and ${column} <> ''` : compared
}
function readDate(value: string, term: FilterTerm): string {
  const read = value === '' ? '' : readDicomDate(value)
  if (read === undefined) throw wrongValue(term)
  return read
}

/** Written as ranges of the bare column, so that an index on it serves. */
function stampSql(term: FilterTerm, column: RawBuilder<unknown>, zone: string): RawBuilder<unknown> {
  if (term.condition === 'like') throw wrongCondition(term)
  const ranges = listOf(term).map((value) => {
    const range = readStampRange(value, zone)
    if (!range) throw wrongValue(term)
    return range
  })
  const within = ({ from, until }: StampRange) =>
    sql`(${column} >= ${from}::timestamptz and ${column} < ${until}::timestamptz)`
  const inOne = ranges.length === 0 ? sql`false` : sql.join(ranges.map(within), sql` or `)
  const [{ from, until } = { from: '', until: '' }] = ranges
  switch (term.condition) {
    case 'equals':
    case 'in':
      return inOne
    case 'equals_or_null':
    case 'in_or_null':
      return sql`${inOne} or ${column} is null`
    case 'not_equals':
      return sql`not (${inOne})`
    case 'not_equals_or_null':
      return sql`not (${inOne}) or ${column} is null`
    case 'gt':
      return sql`${column} >= ${until}::timestamptz`
    case 'ge':
      return sql`${column} >= ${from}::timestamptz`
    case 'lt':
      return sql`${column} < ${from}::timestamptz`
    case 'le':
      return sql`${column} < ${until}::timestamptz`
  }
}

function integerSql(term: FilterTerm, column: RawBuilder<unknown>): RawBuilder<unknown> {
  const read = (value: string) => {
    if (!/^-?\d{1,15}$/.test(value.trim())) throw wrongValue(term)
    return value.trim()
  }
  const comparison = comparisons[term.condition]
  if (comparison) return sql`${column} ${comparison} ${read(String(term.value))}::bigint`
  return equalitySql(term, column, 'bigint', read)
}

/** Kinds without an order; a value that cannot be one matches nothing and does no harm (`api-facts` §1.1). */
function equalitySql(
  term: FilterTerm,
  column: RawBuilder<unknown>,
  type: 'uuid' | 'boolean' | 'bigint',
  read: (value: string) => string | undefined,
): RawBuilder<unknown> {
  const values = listOf(term)
    .map(read)
    .filter((value) => value !== undefined)
  const among = sql`${column} = any(${values}::text[]::${sql.raw(type)}[])`
  switch (term.condition) {
    case 'equals':
    case 'in':
      return among
    case 'equals_or_null':
    case 'in_or_null':
      return sql`${among} or ${column} is null`
    case 'not_equals':
      return sql`not (${among})`
    case 'not_equals_or_null':
      return sql`not (${among}) or ${column} is null`
  }
  throw wrongCondition(term)
}

/** Tags are found by any of the given ones. */
function tagsSql(term: FilterTerm, column: RawBuilder<unknown>): RawBuilder<unknown> {
  if (term.condition === 'in' || term.condition === 'equals') return sql`${column} && ${listOf(term)}::text[]`
  throw wrongCondition(term)
}

function readFlag(value: string, term: FilterTerm): string {
  if (value !== '0' && value !== '1') throw wrongValue(term)
  return value === '1' ? 'true' : 'false'
}
function listOf(term: FilterTerm): string[] {
  return typeof term.value === 'string' ? [term.value] : [...term.value]
}
function wrongValue(term: FilterTerm): ApiError {
  return new ApiError('INVALID_FIELD', { subtype: term.expression })
}
function wrongCondition(term: FilterTerm): ApiError {
  return new ApiError('INVALID_CONDITION', { subtype: term.expression })
}

/**
 * The order of a list: what was asked for, then `tieBreak`, so that it is total. Text sorts without regard to case.
 * @param tieBreak e.g. sql`s.created desc, s.uuid desc`
 */
export function sortSql(
  terms: readonly SortTerm[],
  columns: FilterColumns,
  tieBreak: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const asked = terms.map(({ field, descending }) => {
    const found = columns[field]
    if (!found || typeof found === 'function') throw new ApiError('INVALID_SORT_FIELD', { subtype: field })
    const key = found.kind === 'text' ? foldedColumn(found) : found.column
    return descending ? sql`${key} desc` : sql`${key} asc`
  })
  return sql.join([...asked, tieBreak], sql`, `)
}
