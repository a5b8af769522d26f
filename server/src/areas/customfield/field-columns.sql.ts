import type { FilterTerm } from '@hilum/contract/list'
import { type RawBuilder, sql } from 'kysely'
import { type FilterColumns, filterSql } from '../../db/filter-sql.ts'
import type { CustomFieldRow } from './customfield.sql.ts'

/** Rows in which a list finds values of custom fields. */
export interface FieldHolder {
  /** The column of values by the uuid of their field. */
  column: RawBuilder<unknown>
  /** `from … where …` of the one row that holds the values of a listed row, where the listed row does not hold them itself. */
  from?: RawBuilder<unknown>
}

/** Custom fields as fields of a list, `customfield-{uuid}`. */
export function customFieldColumns(definitions: readonly CustomFieldRow[], holder: FieldHolder): FilterColumns {
  return Object.fromEntries(
    definitions.map((one) => [
      `customfield-${one.uuid}`,
      (term: FilterTerm) => {
        const condition = conditionOf(one, term, holder.column)
        return holder.from ? sql`exists (select ${holder.from} and (${condition}))` : condition
      },
    ]),
  )
}

/** Custom fields as columns that a list is sorted by; for the sorts alone, since their filters take more than a comparison. */
export function customFieldSorts(definitions: readonly CustomFieldRow[], holder: FieldHolder): FilterColumns {
  return Object.fromEntries(
    definitions.map((one) => [`customfield-${one.uuid}`, { kind: 'exact', column: customFieldSort(one, holder) }]),
  )
}

/** The sort of a list by a custom field: numbers as numbers, all else as text; no value comes as the least. */
export function customFieldSort({ uuid, type }: CustomFieldRow, { column, from }: FieldHolder): RawBuilder<unknown> {
  const held = sql`${column} ->> ${uuid}::text`
  const value = from ? sql`(select ${held} ${from})` : sql`(${held})`
  return type === 'number' ? sql`coalesce(${value}::numeric, '-infinity'::numeric)` : sql`lower(coalesce(${value}, ''))`
}

function conditionOf(
  { uuid, type }: CustomFieldRow,
  term: FilterTerm,
  values: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const sent = typeof term.value === 'string' ? [term.value] : [...term.value]
  if (term.condition === 'equals' || term.condition === 'in') {
    const wanted = sent.filter((one) => one !== '')
    const held = wanted.map((one) => sql`${values} @> ${JSON.stringify({ [uuid]: one })}::jsonb`)
    const any = [
      // the comparison with {} lets an index serve, which leaves out the many rows without any value
      ...(held.length > 0 ? [sql`(${values} <> '{}' and (${sql.join(held, sql` or `)}))`] : []),
      ...(sent.includes('') ? [sql`${values} ->> ${uuid}::text is null`] : []),
    ]
    return any.length > 0 ? sql`(${sql.join(any, sql` or `)})` : sql`false`
  }
  const column =
    type === 'number'
      ? ({ kind: 'integer', column: sql`(${values} ->> ${uuid}::text)::numeric` } as const)
      : ({ kind: 'text', column: sql`coalesce(${values} ->> ${uuid}::text, '')` } as const)
  return filterSql([{ ...term, field: 'value' }], { value: column }, 'UTC')
}
