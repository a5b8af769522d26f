import { foldedDigraphs, foldedLetters, foldedMarks } from '@hilum/dicom/person-name'
import { type RawBuilder, sql } from 'kysely'

/** `foldText` done by the database, for a column that is not kept folded. */
export function foldTextSql(column: RawBuilder<unknown>): RawBuilder<unknown> {
  const bare = sql`lower(normalize(regexp_replace(normalize(${column}, NFKD), ${`[${foldedMarks}]`}, '', 'g'), NFC))`
  const single = sql`translate(${bare}, ${[...foldedLetters.keys()].join('')}, ${[...foldedLetters.values()].join('')})`
  const whole = [...foldedDigraphs].reduce(
    (text, [letter, letters]) => sql`replace(${text}, ${letter}, ${letters})`,
    single,
  )
  return sql`btrim(regexp_replace(${whole}, '\\s+', ' ', 'g'))`
}
