import { foldText } from '@hilum/contract/search-text'
import { type RawBuilder, sql } from 'kysely'
import { instanceKeys, type QidoKey, seriesKeys, studyKeys } from './qido-keys.ts'

/** A search that cannot be understood: answered 400 in words. */
export class SearchError extends Error {
  override readonly name = 'SearchError'
}

export type QidoLevel = 'studies' | 'series' | 'instances'

export interface Search {
  where: RawBuilder<unknown>
  limit: number
  offset: number
  /** Keys that were not understood or that no index serves; told in a Warning header (PS3.18 §8.3.4). */
  ignored: string[]
}

/** Most matches in one answer; a search that leaves the limit out gets as many. */
export const maxMatches = 5000
const controls = new Set(['limit', 'offset', 'includefield', 'fuzzymatching', 'sid', 'emptyvaluematching', 'accept'])

/**
 * Reads the query of a search: attributes by keyword or tag, `limit`, `offset`, `fuzzymatching`.
 * @throws SearchError for a limit, offset, date or number that is none
 */
export function readSearch(level: QidoLevel, query: Readonly<Record<string, unknown>>): Search {
  const keys =
    level === 'studies'
      ? studyKeys
      : level === 'series'
        ? [...studyKeys, ...seriesKeys]
        : [...studyKeys, ...seriesKeys, ...instanceKeys]
  const isFuzzy = query.fuzzymatching === 'true'
  const ignored: string[] = []
  const conditions: RawBuilder<unknown>[] = []
  for (const [name, sent] of Object.entries(query)) {
    if (controls.has(name.toLowerCase())) continue
    const found = keys.find((one) => one.keyword === name || one.tag === name.toUpperCase())
    const value = (Array.isArray(sent) ? sent.join('\\') : String(sent ?? '')).trim()
    if (!found) ignored.push(name)
    else if (value !== '' && value !== '*') conditions.push(match(found, value, isFuzzy))
  }
  return {
    where: conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `),
    limit: Math.min(maxMatches, readCount(query.limit, 'limit') ?? maxMatches),
    offset: readCount(query.offset, 'offset') ?? 0,
    ignored,
  }
}

function match(key: QidoKey, value: string, isFuzzy: boolean): RawBuilder<unknown> {
  const column = sql.ref(key.column)
  switch (key.match) {
    case 'uid':
      return sql`${column} = any(${value.split(/[\\,]/).map((one) => one.trim())})`
    case 'list':
      return sql`${column} && ${value.split(/[\\,]/).map((one) => one.trim().toUpperCase())}::text[]`
    case 'number':
      if (!/^-?\d{1,9}$/.test(value)) throw new SearchError(`${key.keyword} takes a whole number`)
      return sql`${column} = ${Number(value)}`
    case 'range':
      return matchRange(key, column, value)
    case 'name':
      return sql`s.search like ${wildcards(foldText(value), isFuzzy)}`
    case 'text':
      return sql`lower(${column}) like ${wildcards(value.toLowerCase(), isFuzzy)}`
  }
}

/** `*` and `?` of the standard become those of SQL; fuzzy also finds the value inside. */
function wildcards(value: string, isFuzzy: boolean): string {
  const escaped = value
    .replace(/[\\%_]/g, (sign) => `\\${sign}`)
    .replaceAll('*', '%')
    .replaceAll('?', '_')
  return isFuzzy ? `%${escaped.replace(/^%|%$/g, '')}%` : escaped
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
  const before = until === '' ? sql`true` : sql`${column} <= ${isDate ? until : `${until}\uffff`}`
  return sql`(${column} <> '' and ${after} and ${before})`
}

function readCount(sent: unknown, name: string): number | undefined {
  if (sent === undefined || sent === '') return undefined
  if (typeof sent !== 'string' || !/^\d{1,9}$/.test(sent)) throw new SearchError(`${name} takes a whole number`)
  return Number(sent)
}
