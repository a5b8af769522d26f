import { sql } from 'kysely'
import { afterAll, expect, it } from 'vitest'
import { freshDatabase } from '../../test/fresh-database.ts'
import { openDatabase } from './database.ts'
import { takingItsTime } from './migrate.ts'

const { url } = await freshDatabase()
const { db } = openDatabase({ connectionString: url, options: '-c statement_timeout=1000' })
afterAll(() => db.destroy())

it('gives a step of the schema more time than a request has', async () => {
  const slow = { up: async (one: typeof db) => void (await sql`select pg_sleep(1.5)`.execute(one)) }
  await db.transaction().execute((tx) => takingItsTime(slow).up(tx))
  await expect(slow.up(db)).rejects.toThrow('statement timeout')
})
