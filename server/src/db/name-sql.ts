import { ApiError } from '@hilum/contract/errors'
import { maxFilterWords } from '@hilum/contract/limits'
import type { FilterTerm } from '@hilum/contract/list'
import { foldText } from '@hilum/dicom/person-name'
import { type RawBuilder, sql } from 'kysely'
import { likePattern } from './filter-sql.ts'

/** Signs that part a name: DICOM's ^ and =, and what people write between its parts. */
const separators = /[\s,^=]+/
const wordEnds = /[\s,^=%]+/
/** Letters from which on a trigram index serves a piece wherever it stands. */
const indexedLetters = 3
/** Signs that `bare_name` (migration 0255) leaves out of a name, blanks apart: words of a search have none. */
const unspelled = /['.\-_\u2010\u2011\u00b7\u05f3\u05be]/g

/**
 * Names as people write them, against the folded text of a name in all its component groups (`foldText`):
 * `LAST%FIRST` in this order, words in any order ("anna muller" finds MÜLLER^Anna), part of a word, any group, and with
 * or without apostrophes, hyphens, underscores, full stops and blanks inside a part ("oconnor" finds O'Connor).
 * A word of one or two letters begins a part of the name, since a scan for it inside words reads everything.
 * @throws ApiError INVALID_CONDITION; INVALID_FIELD for more words than a name has
 */
export function nameSql(column: RawBuilder<unknown>, term: FilterTerm): RawBuilder<unknown> {
  const texts = (typeof term.value === 'string' ? [term.value] : [...term.value]).map(foldText)
  const [text = ''] = texts
  if (text.split(wordEnds).filter(Boolean).length > maxFilterWords)
    throw new ApiError('INVALID_FIELD', { subtype: term.expression })
  switch (term.condition) {
    case 'like':
      return likeSql(column, text)
    case 'equals':
      return sql`${column} = ${text}`
    case 'equals_or_null':
      return sql`(${column} = ${text} or ${column} = '')`
    case 'not_equals':
      return sql`${column} <> ${text}`
    case 'in':
      return sql`${column} = any(${texts})`
    default:
      throw new ApiError('INVALID_CONDITION', { subtype: term.expression })
  }
}

function likeSql(column: RawBuilder<unknown>, pattern: string): RawBuilder<unknown> {
  const core = pattern.replace(/^%+|%+$/g, '')
  if (core === '') return pattern === '' ? sql`${column} = ''` : sql`true`
  const isOpen = pattern.startsWith('%') && pattern.endsWith('%')
  return isOpen && !core.includes('%') ? wordsSql(column, core) : orderedSql(column, pattern, core)
}

/** All words, in any order. */
function wordsSql(column: RawBuilder<unknown>, text: string): RawBuilder<unknown> {
  const words = text.replace(unspelled, '').split(separators).filter(Boolean)
  if (words.length === 0) return sql`true`
  return sql`(${sql.join(
    words.map((word) => wordSql(column, likePattern(word))),
    sql` and `,
  )})`
}

function wordSql(column: RawBuilder<unknown>, word: string): RawBuilder<unknown> {
  if ([...word].length >= indexedLetters) return sql`spelled_name(${column}) like ${`%${word}%`}`
  const begins = ['', '%^', '%=', '% '].map((before) => sql`spelled_name(${column}) like ${`${before}${word}%`}`)
  return sql`(${sql.join(begins, sql` or `)})`
}

/** The pieces in their order. An end without % is the beginning or the end of a component group. */
function orderedSql(column: RawBuilder<unknown>, pattern: string, core: string): RawBuilder<unknown> {
  const middle = core
    .split('%')
    .flatMap((piece) => piece.replace(unspelled, '').split(separators))
    .filter(Boolean)
    .map(likePattern)
    .join('%')
  if (middle === '') return sql`true`
  const starts = pattern.startsWith('%') ? ['%'] : ['', '%=']
  const ends = pattern.endsWith('%') ? ['%'] : ['', '=%']
  const forms = starts.flatMap((start) =>
    ends.map((end) => sql`bare_name(${column}) like ${`${start}${middle}${end}`}`),
  )
  // The index has both spellings, between which the order says nothing.
  return sql`(spelled_name(${column}) like ${`%${middle}%`} and (${sql.join(forms, sql` or `)}))`
}
