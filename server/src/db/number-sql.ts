import { type RawBuilder, sql } from 'kysely'

/** Letters from which on a trigram index serves a piece wherever it stands. */
const indexedLetters = 3

/**
 * A number of people or exams (an MRN, an accession number) by a pattern of the wire, whatever case, hyphens, blanks and
 * underscores it is written with: `bare_number` (migration 0255) has its letters and figures alone. `undefined` for a
 * pattern without any, which says nothing of a number.
 */
export function likeNumberSql(column: RawBuilder<unknown>, pattern: string): RawBuilder<unknown> | undefined {
  const pieces = pattern.split('%')
  if (!pieces.some(hasSign)) return undefined
  const bare = sql.join(
    pieces.map((piece) => sql`bare_number(${piece}::text)`),
    sql` || '%' || `,
  )
  return sql`bare_number(${column}) like ${bare}`
}

/** A number by what somebody typed of it: by any part, or by its beginning for one or two letters. */
export function partOfNumberSql(column: RawBuilder<unknown>, typed: string): RawBuilder<unknown> {
  const text = typed.replaceAll('%', '')
  const start = [...text].filter(hasSign).length >= indexedLetters ? '%' : ''
  return likeNumberSql(column, `${start}${text}%`) ?? sql`false`
}

/** A whole number, whatever it is written with. */
export function wholeNumberSql(column: RawBuilder<unknown>, typed: string): RawBuilder<unknown> {
  return hasSign(typed) ? sql`(${column} <> '' and bare_number(${column}) = bare_number(${typed}::text))` : sql`false`
}

function hasSign(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text)
}
