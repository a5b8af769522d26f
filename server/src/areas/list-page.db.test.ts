import type { FilterTerm } from '@hilum/contract/list'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshDatabase } from '../../test/fresh-database.ts'
import { openDatabase } from '../db/database.ts'
import type { FilterColumns } from '../db/filter-sql.ts'
import { listSql } from './list-page.sql.ts'

const { url } = await freshDatabase()
const { db } = openDatabase({ connectionString: url, max: 1 })

beforeAll(async () => {
  await sql`create table thing (n integer, at timestamptz)`.execute(db)
  await sql`
    insert into thing values (1, '2026-03-01 12:00:00+00'), (2, '2026-03-02 12:00:00+00'), (3, null)
  `.execute(db)
})
afterAll(() => db.destroy())

const columns: FilterColumns = {
  n: { kind: 'integer', column: sql`n` },
  at: { kind: 'stamp', column: sql`at` },
}

async function page(number: number, rows: number, filters: FilterTerm[] = [], zones: [string, string?] = ['']) {
  const [userZone, timeZone] = zones
  const query = { filters, sort: [], page: { number, rows }, ...(timeZone ? { timeZone } : {}) }
  const { where, orderBy, limit } = listSql(query, columns, userZone, sql`n desc`)
  const found = await sql<{ n: number }>`
    select n from thing where ${where} order by ${orderBy} limit ${limit}
  `.execute(db)
  return found.rows.map((row) => row.n)
}

it('asks page by page, each time for one row more than the page holds', async () => {
  expect(await page(1, 2)).toEqual([3, 2, 1])
  expect(await page(1, 1)).toEqual([3, 2])
  expect(await page(2, 1)).toEqual([2, 1])
  expect(await page(3, 1)).toEqual([1])
  expect(await page(2, 2)).toEqual([1])
})

it("means the days of a filter in the reader's zone, else in that of the request", async () => {
  const day: FilterTerm = { field: 'at', condition: 'equals', value: '2026-03-02', expression: 'filter.at.equals' }
  expect(await page(1, 9, [day])).toEqual([2])
  expect(await page(1, 9, [day], ['Pacific/Auckland'])).toEqual([1])
  expect(await page(1, 9, [day], ['', 'Pacific/Auckland'])).toEqual([1])
  expect(await page(1, 9, [day], ['UTC', 'Pacific/Auckland'])).toEqual([2])
})
