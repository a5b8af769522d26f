import type { Condition, FilterTerm } from '@hilum/contract/list'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshDatabase } from '../../test/fresh-database.ts'
import { openDatabase } from './database.ts'
import { type FilterColumns, filterSql, likePattern, sortSql } from './filter-sql.ts'

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
  label: { kind: 'text', column: sql`code` },
  same: { kind: 'text', column: sql`'same'` },
  on_hold: { kind: 'flag', column: sql`on_hold` },
  tags: { kind: 'tags', column: sql`tags` },
  odd: ({ value }) => sql`n % 2 = ${Number(value)}`,
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
  ['name', 'not_equals', '', [1, 2]],
  ['name', 'not_equals_or_null', '', [1, 2, 3]],
  ['name', 'gt', 'MEIER', [1]],
  ['name', 'ge', 'MEIER', [1, 2]],
  ['name', 'lt', 'MÜLLER', [2, 3]],
  ['name', 'le', 'MEIER', [2, 3]],
  ['code', 'equals', 'a_1', [3]],
  ['code', 'not_equals', 'a_1', [1, 2]],
  ['code', 'in', ['a_1', 'AX1', 'ax1'], [2, 3]],
  ['code', 'equals_or_null', 'a_1', [3]],
  ['code', 'like', 'A_1', [1]],
  ['code', 'like', 'A%', [1, 2]],
  ['day', 'equals', '2026-03-01', [1]],
  ['day', 'ge', '2026-03-02', [2]],
  ['day', 'lt', '20260302', [1]],
  ['day', 'gt', '20260301', [2]],
  ['day', 'le', '20260301', [1]],
  ['day', 'ge', '', [1, 2]],
  ['day', 'equals', '', [3]],
  ['day', 'equals_or_null', '2026-03-01', [1, 3]],
  ['day', 'not_equals', '2026-03-01', [2, 3]],
  ['day', 'like', '2026-03%', [1, 2]],
  ['day', 'like', '2026-03-01%', [1]],
  ['day', 'like', '%03/02/2026%', [2]],
  ['day', 'like', '%-02', [2]],
  ['day', 'in', [], []],
  ['day', 'in', ['2026-03-01', '20260302'], [1, 2]],
  ['at', 'equals', '2026-03-01 12:00:00', [1]],
  ['at', 'equals', '2026-03-01 12:00:00.4', []],
  ['at', 'gt', '2026-03-01', [2]],
  ['at', 'gt', '2026-03-01 12:00:00', [2]],
  ['at', 'gt', '2026-03-01 11:59:59', [1, 2]],
  ['at', 'ge', '2026-03-02', [2]],
  ['at', 'ge', '2026-03-01', [1, 2]],
  ['at', 'lt', '2026-03-02', [1]],
  ['at', 'lt', '2026-03-01', []],
  ['at', 'le', '2026-03-02', [1, 2]],
  ['at', 'not_equals_or_null', '2026-03-02', [1, 3]],
  ['at', 'in_or_null', ['2026-03-01'], [1, 3]],
  ['at', 'in', [], []],
  ['at', 'in_or_null', [], [3]],
  ['at', 'le', '2026-03-01', [1]],
  ['at', 'equals_or_null', '2026-03-02', [2, 3]],
  ['at', 'not_equals', '2026-03-02', [1]],
  ['at', 'in', ['2026-03-01', '2026-03-02'], [1, 2]],
  ['id', 'equals', someUuid, [1]],
  ['id', 'in', [someUuid, 'no-uuid'], [1]],
  ['id', 'equals_or_null', someUuid, [1, 2, 3]],
  ['id', 'in_or_null', [], [2, 3]],
  ['id', 'equals', someUuid.toUpperCase(), [1]],
  ['id', 'equals', `x${someUuid}`, []],
  ['id', 'equals', `${someUuid}0`, []],
  ['id', 'equals', someUuid.slice(5), []],
  ['id', 'not_equals', someUuid, []],
  ['id', 'not_equals', 'no-uuid', [1, 2, 3]],
  ['id', 'not_equals_or_null', someUuid, [2, 3]],
  ['on_hold', 'equals', '1', [1]],
  ['on_hold', 'not_equals', '1', [2]],
  ['on_hold', 'equals', '0', [2]],
  ['on_hold', 'equals_or_null', '1', [1, 3]],
  ['on_hold', 'not_equals_or_null', '1', [2, 3]],
  ['on_hold', 'in', ['0', '1'], [1, 2]],
  ['n', 'ge', '2', [2, 3]],
  ['n', 'gt', ' 1 ', [2, 3]],
  ['n', 'le', '1', [1]],
  ['n', 'lt', '2', [1]],
  ['n', 'equals', ' 2 ', [2]],
  ['n', 'equals', '-1', []],
  ['n', 'not_equals', '1', [2, 3]],
  ['n', 'gt', '-12', [1, 2, 3]],
  ['n', 'in', ['1', '3'], [1, 3]],
  ['tags', 'in', ['red', 'green'], [1]],
  ['tags', 'equals', 'blue', [1, 2]],
  ['tags', 'in', [], []],
  ['odd', 'equals', '1', [1, 3]],
  ['odd', 'equals', '0', [2]],
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
  [term('tags', 'not_equals', 'red'), 'INVALID_CONDITION'],
  [term('id', 'gt', someUuid), 'INVALID_CONDITION'],
  [term('on_hold', 'ge', '1'), 'INVALID_CONDITION'],
  [term('n', 'like', '1'), 'INVALID_CONDITION'],
  [term('name', 'between' as Condition, '1'), 'INVALID_CONDITION'],
  [term('at', 'in', ['2026-03-01', 'soon']), 'INVALID_FIELD'],
  [term('day', 'in', ['2026-03-01', 'soon']), 'INVALID_FIELD'],
  [term('n', 'gt', 'one'), 'INVALID_FIELD'],
  [term('n', 'equals', '1 or 2'), 'INVALID_FIELD'],
  [term('n', 'equals', 'x1'), 'INVALID_FIELD'],
  [term('n', 'equals', '1'.repeat(16)), 'INVALID_FIELD'],
  [term('nothing', 'equals', '1'), 'INVALID_FIELD'],
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

async function sorted(...asked: [field: string, descending?: boolean][]): Promise<number[]> {
  const terms = asked.map(([field, descending = false]) => ({ field, descending }))
  const { rows } = await sql<{ n: number }>`select n from thing order by ${sortSql(terms, columns, sql`n`)}`.execute(db)
  return rows.map((row) => row.n)
}

it('sorts by several fields, in either direction, and ends in a total order', async () => {
  expect(await sorted()).toEqual([1, 2, 3])
  expect(await sorted(['name'])).toEqual([3, 2, 1])
  expect(await sorted(['name', true])).toEqual([1, 2, 3])
  expect(await sorted(['name'], ['n', true])).toEqual([3, 2, 1])
  expect(await sorted(['same'], ['n', true])).toEqual([3, 2, 1])
  expect(await sorted(['day', true], ['n'])).toEqual([2, 1, 3])
})

it('sorts text without regard to case, codes as they are written', async () => {
  expect((await sorted(['label'])).indexOf(3)).toBe(1)
  expect((await sorted(['code'])).toSorted()).toEqual([1, 2, 3])
  const { rows } = await sql<{ n: number }>`select n from thing order by code, n`.execute(db)
  expect(await sorted(['code'])).toEqual(rows.map((row) => row.n))
})

it.each(['nothing', 'odd'])('does not sort by %s', (field) => {
  expect(() => sortSql([{ field, descending: false }], columns, sql`n`)).toThrow(
    expect.objectContaining({ code: 'INVALID_SORT_FIELD', detail: { subtype: field } }),
  )
})

it('takes % alone for a wildcard', async () => {
  for (const [text, pattern, isFound] of [
    ['a\\b', 'a\\b', true],
    ['a_b', 'a_b', true],
    ['axb', 'a_b', false],
    ['a__b', 'a__b', true],
    ['axxb', 'a%b', true],
  ] as const) {
    const { rows } = await sql<{ found: boolean }>`select ${text}::text like ${likePattern(pattern)} as found`.execute(
      db,
    )
    expect([text, pattern, rows[0]?.found]).toEqual([text, pattern, isFound])
  }
})
