import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, expect, it, vi } from 'vitest'
import { freshDatabase } from '../../../test/fresh-database.ts'
import { openDatabase, type ConnectionPool, type PooledConnection } from '../../db/database.ts'
import { openEventFeed } from './event-feed.ts'

const { url } = await freshDatabase()
const { db, pool } = openDatabase({ connectionString: url, max: 5 })
pool.on('error', () => undefined)
afterAll(() => db.destroy())

const listening = async () => {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and query like 'listen %hilum_event%'
  `.execute(db)
  return rows.map((row) => row.pid)
}

it('comes back when its connection is lost, and gives back those on which it could not listen', async () => {
  let connections = 0
  // the second connection and the third are refused the doorbell
  const refusing = {
    connect: async () => {
      const client: PooledConnection = await pool.connect()
      connections += 1
      if (connections === 2 || connections === 3) client.query = (() => Promise.reject(new Error('refused'))) as never
      return client
    },
  } as ConnectionPool
  const feed = await openEventFeed(db, refusing, pino({ level: 'silent' }))
  const [first] = await listening()
  await sql`select pg_terminate_backend(${first})`.execute(db)
  await vi.waitFor(async () => expect((await listening()).filter((pid) => pid !== first)).toHaveLength(1), {
    timeout: 20_000,
  })
  expect(connections).toBe(4)
  await vi.waitFor(() => expect(pool.totalCount - pool.idleCount).toBe(1), { timeout: 20_000 })
  await feed.close()
  await vi.waitFor(() => expect(pool.totalCount - pool.idleCount).toBe(0), { timeout: 20_000 })
})
