import { type StudyColumn, studyColumns } from '@hilum/contract/calls/study'
import { otherDicomFields } from '@hilum/contract/entities/study'
import { type RawBuilder, sql } from 'kysely'
import { countsOfRecord } from '../../access/record-sources.sql.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'
import type { FieldHolder } from '../customfield/field-columns.sql.ts'

/** A column of the study `s`. */
export const s = (column: string): RawBuilder<unknown> => sql.ref(`s.${column}`)

/** Where the study `s` holds values of custom fields. */
export const fieldsOfStudy: FieldHolder = { column: s('customfields') }

const others: ReadonlySet<string> = new Set(otherDicomFields)
/** Counted over all sources of the record. */
const stored: ReadonlySet<string> = new Set(['image_count', 'series_count', 'size', 'conflict_count'])

export function isStudyColumn(field: string): field is StudyColumn {
  return Object.hasOwn(studyColumns, field)
}

/** The value behind a field of the wire. */
export function columnSql(field: StudyColumn): RawBuilder<unknown> {
  if (others.has(field)) return sql`coalesce(s.demographics ->> ${field}::text, '')`
  if (stored.has(field)) {
    return sql`(select c.${sql.ref(field)} from ${countsOfRecord} c)::bigint`
  }
  return s(field === 'work_status' ? 'status' : field)
}

/** The stored columns as fields of a list; what is more than a comparison is the question's own. */
export const plainColumns: FilterColumns = {
  ...Object.fromEntries(
    Object.entries(studyColumns).map(([field, kind]) => [field, { kind, column: columnSql(field as StudyColumn) }]),
  ),
  tags: { kind: 'tags', column: s('tags') },
}
