import type { FilterTerm } from '@hilum/contract/list'
import { type RawBuilder, sql } from 'kysely'
import { type FilterColumns, filterSql } from '../../db/filter-sql.ts'
import type { CustomFieldRow } from '../customfield/customfield.sql.ts'

/** A study's custom fields as fields of its list, `customfield-{uuid}`. */
export function customFieldColumns(definitions: readonly CustomFieldRow[]): FilterColumns {
  return Object.fromEntries(
    definitions.map((one) => [`customfield-${one.uuid}`, (term: FilterTerm) => conditionOf(one, term)]),
  )
}

/** The sort of a list by a custom field: numbers as numbers, all else as text; no value comes as the least. */
export function customFieldSort({ uuid, type }: CustomFieldRow): RawBuilder<unknown> {
  const value = sql`(s.customfields ->> ${uuid}::text)`
  return type === 'number' ? sql`coalesce(${value}::numeric, '-infinity'::numeric)` : sql`lower(coalesce(${value}, ''))`
}

function conditionOf({ uuid, type }: CustomFieldRow, term: FilterTerm): RawBuilder<unknown> {
  const values = typeof term.value === 'string' ? [term.value] : [...term.value]
  if (term.condition === 'equals' || term.condition === 'in') {
    const wanted = values.filter((one) => one !== '')
    const held = wanted.map((one) => sql`s.customfields @> ${JSON.stringify({ [uuid]: one })}::jsonb`)
    const any = [
      // the comparison with {} lets the index serve, which leaves out the many studies without any value
      ...(held.length > 0 ? [sql`(s.customfields <> '{}' and (${sql.join(held, sql` or `)}))`] : []),
      ...(values.includes('') ? [sql`s.customfields ->> ${uuid}::text is null`] : []),
    ]
    return any.length > 0 ? sql`(${sql.join(any, sql` or `)})` : sql`false`
  }
  const column =
    type === 'number'
      ? ({ kind: 'integer', column: sql`(s.customfields ->> ${uuid}::text)::numeric` } as const)
      : ({ kind: 'text', column: sql`coalesce(s.customfields ->> ${uuid}::text, '')` } as const)
  return filterSql([{ ...term, field: 'value' }], { value: column }, 'UTC')
}
