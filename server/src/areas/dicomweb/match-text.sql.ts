import { foldText } from '@hilum/dicom/person-name'
import { type RawBuilder, sql } from 'kysely'

/** Text with the wildcards `*` and `?`, whatever its case. */
export function matchText(column: RawBuilder<unknown>, value: string): RawBuilder<unknown> {
  return sql`lower(${column}) like ${wildcards(value.toLowerCase())}`
}

/** An identifier: without wildcards it is looked up in its index, which is on the lower-case text. */
export function matchIdentifier(column: RawBuilder<unknown>, value: string): RawBuilder<unknown> {
  return /[*?]/.test(value) ? matchText(column, value) : sql`lower(${column}) = ${value.toLowerCase()}`
}

/** An identifier whose index is on the text as it stands and leaves empty ones out: as sent, or in one case. */
export function matchExactly(column: RawBuilder<unknown>, value: string): RawBuilder<unknown> {
  if (/[*?]/.test(value)) return matchText(column, value)
  const spellings = [...new Set([value, value.toUpperCase(), value.toLowerCase()])]
  return sql`(${column} <> '' and ${column} = any(${spellings}))`
}

/**
 * A person's name, whatever its case and accents: the value matches the whole of any of the three component groups,
 * empty components at the end aside; one with `=` matches the whole name.
 * @param folded the name as `foldText` gives it
 * Source: PS3.4 C.2.2.2.1, PS3.5 §6.2.1.1.
 */
export function matchName(folded: RawBuilder<unknown>, value: string): RawBuilder<unknown> {
  const wanted = foldText(value).replace(/[\^= ]+$/, '')
  const pattern = wildcards(wanted)
  if (wanted.includes('=')) return sql`rtrim(${folded}, '^= ') like ${pattern}`
  // the first condition is what the trigram index can serve
  return sql`(${folded} like ${`%${pattern}%`} and exists (
    select from unnest(string_to_array(${folded}, '=')) as component_group
    where rtrim(component_group, '^ ') like ${pattern}))`
}

/** Every word of the value begins some word of the name, in any order (`fuzzymatching=true`). */
export function matchNameFuzzily(folded: RawBuilder<unknown>, value: string): RawBuilder<unknown> {
  const words = foldText(value)
    .split(/[\s^=,*?]+/)
    .filter((word) => word !== '')
  if (words.length === 0) return sql`true`
  const conditions = words.map((word) => {
    const literal = word.replace(/[!-/:-@[-`{-~]/g, (sign) => `\\${sign}`)
    return sql`(${folded} like ${`%${escapeLike(word)}%`} and ${folded} ~ ${`(^|[-^=, ])${literal}`})`
  })
  return sql`(${sql.join(conditions, sql` and `)})`
}

/** `*` and `?` of the standard become those of SQL. */
function wildcards(value: string): string {
  return escapeLike(value).replaceAll('*', '%').replaceAll('?', '_')
}

function escapeLike(value: string): string {
  return value.replace(/[\\%_]/g, (sign) => `\\${sign}`)
}
