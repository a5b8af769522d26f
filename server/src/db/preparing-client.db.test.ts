import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { freshDatabase } from '../../test/fresh-database.ts'
import { openDatabase } from './database.ts'

const { url } = await freshDatabase()
const { db } = openDatabase({ connectionString: url, max: 1 })
afterAll(() => db.destroy())

test('a marked statement is planned once a connection and answers each time for its own values', async () => {
  const double = async (number: number) => {
    const { rows } = await sql<{ double: number }>`
      /* prepared */
      select ${number}::integer * 2 as double
    `.execute(db)
    return rows[0]?.double
  }
  expect([await double(2), await double(21)]).toEqual([4, 42])
  expect(await listPrepared()).toEqual([expect.stringContaining('as double')])
})

test('other statements are not kept', async () => {
  const { rows } = await sql<{ one: number }>`select ${1}::integer as one`.execute(db)
  expect(rows).toEqual([{ one: 1 }])
  expect((await listPrepared()).filter((text) => text.includes('as one'))).toEqual([])
})

async function listPrepared(): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)
  return rows.map((row) => row.statement)
}
