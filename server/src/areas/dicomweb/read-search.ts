import { maxFilterLength } from '@hilum/contract/limits'
import { findTagByKeyword } from '@hilum/dicom/dictionary'
import { tagToHex } from '@hilum/dicom/tags'
import { type HeaderKey, readHeaderKey } from './match-header.ts'
import { allOf, type SearchCondition, matchKey } from './match-key.sql.ts'
import { fieldsOfLevel, isIndexed, keysOfLevel, type QidoLevel, requiredFromHeader } from './qido-keys.ts'
import { SearchError } from './search-error.ts'

export interface Search {
  where: SearchCondition
  limit: number
  offset: number
  /** Attributes beyond the index that were asked for: `includefield` and matching keys, as eight hex digits. */
  fields: string[]
  /** Keys that are matched against the header of each match, because no index serves them. */
  headerKeys: HeaderKey[]
  /** Fields that were asked for and are not given at this level. */
  leftOut: string[]
}

/** Most matches in one answer; a search that leaves the limit out gets as many. */
export const maxMatches = 5000
/** The same inside one study, whose images a client wants to know all. */
export const maxMatchesInStudy = 20_000
const controls = new Set(
  'limit offset includefield fuzzymatching emptyvaluematching multiplevaluematching sid accept'.split(' '),
)

type Query = Readonly<Record<string, unknown>>

/**
 * Reads the query of a search: attributes by keyword or tag, `limit`, `offset`, `fuzzymatching`, `includefield`.
 * @throws SearchError for a limit, offset, date or number that is none
 */
export function readSearch(level: QidoLevel, query: Query, most = maxMatches): Search {
  const keys = keysOfLevel[level]
  const manner = {
    isFuzzy: readFlag(query, 'fuzzymatching'),
    isEmptyMatched: readFlag(query, 'emptyvaluematching'),
  }
  const headerKeys: HeaderKey[] = []
  const conditions: SearchCondition[] = []
  for (const [name, sent] of Object.entries(query)) {
    if (controls.has(name.toLowerCase())) continue
    const found = keys.find((one) => one.keyword === name || one.tag === name.toUpperCase())
    const value = textOf(sent).trim()
    if (found && value !== '' && value !== '*') conditions.push(matchKey(found, value, manner))
    if (!found) {
      const key = readUnindexed(level, name, value)
      if (value !== '' && value !== '*') headerKeys.push(key)
    }
  }
  const { fields, leftOut } = readFields(level, query)
  return {
    where: allOf(conditions),
    limit: Math.min(most, readCount(query.limit, 'limit') ?? most),
    offset: readCount(query.offset, 'offset') ?? 0,
    headerKeys,
    fields: [...new Set([...fields, ...headerKeys.map(({ path }) => path[0] ?? '')])],
    leftOut,
  }
}

/**
 * A key that no index serves. One that cannot be matched is refused: without it the answer would hold more than was
 * asked for, and whoever reads it would not know.
 * @throws SearchError
 */
function readUnindexed(level: QidoLevel, name: string, value: string): HeaderKey {
  if (value.length > maxFilterLength) throw new SearchError(`A value is longer than ${maxFilterLength} characters`)
  const key = readHeaderKey(name, value)
  if (key && 'reason' in key) throw new SearchError(key.reason)
  const isOfLevel = (tag: string) =>
    level === 'instances' || fieldsOfLevel[level].has(tag) || requiredFromHeader[level].includes(tag)
  if (key && isOfLevel(key.path[0] ?? '')) return key
  const shown = name.replace(/[^\w.-]/g, '?').slice(0, 64)
  throw new SearchError(`${shown} is no attribute that a search at this level can match`)
}

/** Fields by keyword or tag, in one list or repeated. Attributes that every answer has need no mention. */
function readFields(level: QidoLevel, query: Query): { fields: string[]; leftOut: string[] } {
  const fields = new Set<string>()
  const leftOut: string[] = []
  const names = textOf(query.includefield)
    .split(/[\\,]/)
    .map((name) => name.trim())
  for (const name of names.filter((one) => one !== '')) {
    if (name.toLowerCase() === 'all') {
      for (const tag of fieldsOfLevel[level]) fields.add(tag)
      continue
    }
    const tag = tagOf(name)
    if (tag !== undefined && isIndexed(tag)) continue
    // an instance's own header is read, so there any attribute can be had
    if (tag !== undefined && (level === 'instances' || fieldsOfLevel[level].has(tag))) fields.add(tag)
    else leftOut.push(name)
  }
  return { fields: [...fields], leftOut }
}

function tagOf(name: string): string | undefined {
  if (/^[0-9a-f]{8}$/i.test(name)) return name.toUpperCase()
  const tag = findTagByKeyword(name)
  return tag === undefined ? undefined : tagToHex(tag)
}

function readFlag(query: Query, name: string): boolean {
  const sent = textOf(query[name]).toLowerCase()
  if (sent !== '' && sent !== 'true' && sent !== 'false') throw new SearchError(`${name} is true or false`)
  return sent === 'true'
}

function readCount(sent: unknown, name: string): number | undefined {
  if (sent === undefined || sent === '') return undefined
  if (typeof sent !== 'string' || !/^\d{1,9}$/.test(sent)) throw new SearchError(`${name} takes a whole number`)
  return Number(sent)
}

/** A parameter sent several times is a list of values. @throws SearchError for text that no database holds */
function textOf(sent: unknown): string {
  const text = Array.isArray(sent) ? sent.join('\\') : String(sent ?? '')
  if (text.includes('\0')) throw new SearchError('A value holds a null character')
  return text
}
