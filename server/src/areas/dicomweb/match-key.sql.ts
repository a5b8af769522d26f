import { maxFilterLength, maxFilterWords } from '@hilum/contract/limits'
import { type RawBuilder, sql } from 'kysely'
import { foldTextSql } from '../../db/fold-text-sql.ts'
import { matchExactly, matchIdentifier, matchName, matchNameFuzzily, matchText } from './match-text.sql.ts'
import type { QidoKey } from './qido-keys.ts'
import { SearchError } from './search-error.ts'

const maxValues = 1000

/** A condition of a search, after `where` or inside `and`. */
export type SearchCondition = RawBuilder<unknown>

/** How names and empty values are matched (`fuzzymatching`, `emptyvaluematching`). */
type Manner = { isFuzzy: boolean; isEmptyMatched: boolean }

/**
 * The condition that one indexed key comes to.
 * @throws SearchError for a date or number that is none
 */
export function matchKey(key: QidoKey, value: string, manner: Manner): RawBuilder<unknown> {
  const column = sql.ref(key.column)
  if (value === '""' && manner.isEmptyMatched) {
    if (key.match === 'list') return sql`${column} = '{}'`
    return key.match === 'number' ? sql`${column} is null` : sql`${column} = ''`
  }
  if (key.match !== 'uid' && key.match !== 'list') demandModest(key, value)
  switch (key.match) {
    case 'uid':
      return sql`${column} = any(${valuesOf(key, value)})`
    case 'list':
      return sql`${column} && ${valuesOf(key, value.toUpperCase())}::text[]`
    case 'number':
      if (!/^-?\d{1,9}$/.test(value)) throw new SearchError(`${key.keyword} takes a whole number`)
      return sql`${column} = ${Number(value)}`
    case 'range':
      return matchRange(key, column, value)
    case 'folded':
      return manner.isFuzzy ? matchNameFuzzily(column, value) : matchName(column, value)
    case 'name':
      return manner.isFuzzy ? matchNameFuzzily(foldTextSql(column), value) : matchName(foldTextSql(column), value)
    case 'identifier':
      return matchIdentifier(column, value)
    case 'exact':
      return matchExactly(column, value)
    case 'text':
      return matchText(column, value)
  }
}

/** Each word is a question of its own to the database. */
function demandModest(key: QidoKey, value: string): void {
  if (value.length > maxFilterLength)
    throw new SearchError(`${key.keyword} takes at most ${maxFilterLength} characters`)
  const words = value.split(/[\s^=,*?]+/).filter((word) => word !== '')
  if (key.vr === 'PN' && words.length > maxFilterWords)
    throw new SearchError(`${key.keyword} takes at most ${maxFilterWords} words`)
}

function valuesOf(key: QidoKey, value: string): string[] {
  const values = value.split(/[\\,]/).map((one) => one.trim())
  if (values.length > maxValues) throw new SearchError(`${key.keyword} takes at most ${maxValues} values`)
  return values
}

/** `20260101`, `20260101-20260131`, `-20260131`, `20260101-`; times alike. Source: PS3.4 C.2.2.2.5. */
function matchRange(key: QidoKey, column: RawBuilder<unknown>, value: string): RawBuilder<unknown> {
  const isDate = key.vr === 'DA'
  const bounds = value.split('-').map((one) => one.trim())
  const form = isDate ? /^\d{8}$/ : /^\d{2}(\d{2}(\d{2}(\.\d{1,6})?)?)?$/
  if (bounds.length > 2 || bounds.every((one) => one === '') || bounds.some((one) => one !== '' && !form.test(one))) {
    throw new SearchError(`${key.keyword} takes ${isDate ? 'a date YYYYMMDD' : 'a time HHMMSS'} or a range of two`)
  }
  const [from = '', until] = bounds
  if (until === undefined) return isDate ? sql`${column} = ${from}` : sql`${column} like ${`${from}%`}`
  const after = from === '' ? sql`true` : sql`${column} >= ${from}`
  // a time that names only the hour means all of it
  const before = until === '' ? sql`true` : sql`left(${column}, ${until.length}) <= ${until}`
  return sql`(${column} <> '' and ${after} and ${before})`
}

/** All conditions of one search. */
export function allOf(conditions: readonly SearchCondition[]): SearchCondition {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

/** Of one study, and of one series of it; everything where none is named. */
export function ofStudy(studyUid: string | undefined): SearchCondition {
  return studyUid === undefined ? sql`true` : sql`s.study_uid = ${studyUid}`
}

export function ofSeries(seriesUid: string): SearchCondition {
  return sql`e.series_uid = ${seriesUid}`
}
