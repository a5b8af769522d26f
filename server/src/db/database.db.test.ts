import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { freshDatabase } from '../../test/fresh-database.ts'
import { openDatabase } from './database.ts'

const { url } = await freshDatabase()

test('No question and no idle transaction lasts for ever, whoever runs the database', async () => {
  const anothers = openDatabase({ connectionString: url, max: 1 })
  const name = sql.ref(new URL(url).pathname.slice(1))
  await sql`alter database ${name} set statement_timeout = 0`.execute(anothers.db)
  await sql`alter database ${name} set idle_in_transaction_session_timeout = 0`.execute(anothers.db)
  await anothers.db.destroy()
  const { db } = openDatabase({ connectionString: url, max: 1 })
  const { rows } = await sql`
    select current_setting('statement_timeout') as question, current_setting('idle_in_transaction_session_timeout') as idle
  `.execute(db)
  await db.destroy()
  expect(rows).toEqual([{ question: '30s', idle: '1min' }])
})

test('A connection that the database ends while it is in use costs its own work only', async () => {
  const { db, pool } = openDatabase({ connectionString: url, max: 2 })
  const lost = vi.fn()
  pool.on('connect', (client) => client.once('end', lost))
  // an error event without a listener would end the process; the test runner takes it for a failure
  const work = db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db)
    // the driver tells the end of an idle connection, as when a transaction idles too long
    await vi.waitFor(() => expect(lost).toHaveBeenCalled(), { timeout: 20_000 })
    await sql`select 1`.execute(tx)
  })
  await expect(work).rejects.toThrow('The database does not answer')
  await expect(sql<{ one: number }>`select 1 as one`.execute(db)).resolves.toMatchObject({ rows: [{ one: 1 }] })
  await db.destroy()
})
