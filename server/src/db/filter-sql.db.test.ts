import type { Condition, FilterTerm } from '@hilum/contract/list'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshDatabase } from '../../test/fresh-database.ts'
import { openDatabase } from './database.ts'
import { type FilterColumns, filterSql, sortSql } from './filter-sql.ts'

const { url } = await freshDatabase()
const { db } = openDatabase({ connectionString: url, max: 1 })
const someUuid = '018f0000-0000-7000-8000-000000000001'

beforeAll(async () => {
  await sql`
    create table thing (n integer, name text, code text, day text, at timestamptz, id uuid, on_hold boolean, tags text[])
  `.execute(db)
  await sql`
    insert into thing values
      (1, 'Müller', 'A_1', '20260301', '2026-03-01 12:00:00.5+00', ${someUuid}, true, '{red,blue}'),
      (2, 'MEIER', 'AX1', '20260302', '2026-03-02 12:00:00+00', null, false, '{blue}'),
      (3, '', 'a_1', '', null, null, null, '{}')
  `.execute(db)
})
afterAll(() => db.destroy())

const columns: FilterColumns = {
  n: { kind: 'integer', column: sql`n` },
  name: { kind: 'text', column: sql`name` },
  code: { kind: 'exact', column: sql`code` },
  day: { kind: 'date', column: sql`day` },
  at: { kind: 'stamp', column: sql`at` },
  id: { kind: 'uuid', column: sql`id` },
  on_hold: { kind: 'flag', column: sql`on_hold` },
  tags: { kind: 'tags', column: sql`tags` },
  odd: () => sql`n % 2 = 1`,
}
function term(field: string, condition: Condition, value: string | readonly string[]): FilterTerm {
  return { field, condition, value, expression: `filter.${field}.${condition}` }
}
async function found(...terms: FilterTerm[]): Promise<number[]> {
  const { rows } = await sql<{ n: number }>`
    select n
    from thing
    where ${filterSql(terms, columns, 'UTC')}
    order by n
  `.execute(db)
  return rows.map((row) => row.n)
}

it.each<[string, Condition, string | string[], number[]]>([
  ['name', 'equals', 'müller', [1]],
  ['name', 'equals_or_null', 'MÜLLER', [1, 3]],
  ['name', 'not_equals', 'meier', [1, 3]],
  ['name', 'like', 'M%r', [1, 2]],
  ['name', 'in', ['meier', 'nobody'], [2]],
  ['name', 'in_or_null', ['meier'], [2, 3]],
  ['name', 'in', [], []],
  ['code', 'equals', 'a_1', [3]],
  ['code', 'like', 'A_1', [1]],
  ['code', 'like', 'A%', [1, 2]],
  ['day', 'equals', '2026-03-01', [1]],
  ['day', 'ge', '2026-03-02', [2]],
  ['day', 'lt', '20260302', [1]],
  ['day', 'like', '2026-03%', [1, 2]],
  ['day', 'in', ['2026-03-01', '20260302'], [1, 2]],
  ['at', 'equals', '2026-03-01 12:00:00', [1]],
  ['at', 'equals', '2026-03-01 12:00:00.4', []],
  ['at', 'gt', '2026-03-01', [2]],
  ['at', 'le', '2026-03-01', [1]],
  ['at', 'equals_or_null', '2026-03-02', [2, 3]],
  ['at', 'not_equals', '2026-03-02', [1]],
  ['at', 'in', ['2026-03-01', '2026-03-02'], [1, 2]],
  ['id', 'equals', someUuid, [1]],
  ['id', 'in', [someUuid, 'no-uuid'], [1]],
  ['id', 'equals_or_null', someUuid, [1, 2, 3]],
  ['on_hold', 'equals', '1', [1]],
  ['on_hold', 'not_equals', '1', [2]],
  ['n', 'ge', '2', [2, 3]],
  ['n', 'in', ['1', '3'], [1, 3]],
  ['tags', 'in', ['red', 'green'], [1]],
  ['odd', 'equals', '1', [1, 3]],
])('filter.%s.%s=%j', async (field, condition, value, expected) => {
  expect(await found(term(field, condition, value))).toEqual(expected)
})

it('joins several expressions by and', async () => {
  expect(await found(term('name', 'like', 'm%'), term('n', 'gt', '1'))).toEqual([2])
  expect(await found()).toEqual([1, 2, 3])
})

it.each([
  [term('on_hold', 'like', '1'), 'INVALID_CONDITION'],
  [term('at', 'like', '2026%'), 'INVALID_CONDITION'],
  [term('tags', 'gt', 'red'), 'INVALID_CONDITION'],
  [term('at', 'equals', 'soon'), 'INVALID_FIELD'],
  [term('day', 'equals', 'soon'), 'INVALID_FIELD'],
  [term('n', 'equals', 'one'), 'INVALID_FIELD'],
  [term('on_hold', 'equals', 'maybe'), 'INVALID_FIELD'],
  [term('constructor', 'equals', '1'), 'INVALID_FIELD'],
])('refuses %o as %s, with the expression as error_subtype', (wrong, code) => {
  expect(() => filterSql([wrong], columns, 'UTC')).toThrow(
    expect.objectContaining({ code, detail: { subtype: wrong.expression } }),
  )
})

it('sorts by several fields and ends in a total order', async () => {
  const order = sortSql(
    [
      { field: 'name', descending: false },
      { field: 'n', descending: true },
    ],
    columns,
    sql`n`,
  )
  const { rows } = await sql<{ n: number }>`select n from thing order by ${order}`.execute(db)
  expect(rows.map((row) => row.n)).toEqual([3, 2, 1])
})
