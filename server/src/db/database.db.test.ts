import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { freshDatabase } from '../../test/fresh-database.ts'
import { DatabaseAwayError } from './database-away.ts'
import { type Database, openDatabase } from './database.ts'

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

/** The process behind a connection of this pool stands still, as all of them do in a database that hangs. */
async function freeze(db: Database): Promise<{ goOn: () => void }> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  const pid = rows[0]?.pid ?? 0
  process.kill(pid, 'SIGSTOP')
  return { goOn: () => process.kill(pid, 'SIGCONT') }
}

test('a database that hangs in the middle of a statement is told as away, and the next connection works', async () => {
  const { db } = openDatabase({ connectionString: url, max: 1, silenceMs: 1_000 })
  const frozen = await freeze(db)
  try {
    await expect(sql`select 1`.execute(db)).rejects.toBeInstanceOf(DatabaseAwayError)
    await expect(sql<{ one: number }>`select 1 as one`.execute(db)).resolves.toMatchObject({ rows: [{ one: 1 }] })
    const again = await freeze(db)
    try {
      await db.destroy() // nor does closing wait for it
    } finally {
      again.goOn()
    }
  } finally {
    frozen.goOn()
  }
})

test('silence of a connection that waits in the pool, or of a transaction between two statements, is right', async () => {
  const { db, pool } = openDatabase({ connectionString: url, max: 1, silenceMs: 300 })
  const lost = vi.fn()
  pool.on('connect', (client) => client.once('end', lost))
  const pid = async (on = db) => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(on)).rows[0]?.pid
  const first = await pid()
  await db.transaction().execute(async (tx) => {
    await pid(tx)
    await new Promise((done) => setTimeout(done, 900))
    expect(await pid(tx)).toBe(first)
  })
  await new Promise((done) => setTimeout(done, 900))
  expect([await pid(), lost.mock.calls.length]).toEqual([first, 0])
  await db.destroy()
})

test.each([
  ['the caller sets', { options: '-c statement_timeout=0' }, undefined],
  ['the address sets', {}, 'statement_timeout=5000'],
  ['options of the address set', {}, 'options=-c%20statement_timeout%3D0'],
])('a statement may be silent for long where %s how long it may take', async (_, given, set) => {
  const address = new URL(url)
  if (set) address.search += `${address.search === '' ? '' : '&'}${set}`
  const { pool } = openDatabase({ connectionString: address.href, max: 1, ...given })
  expect(pool.options).not.toHaveProperty('silenceMs')
  await pool.end()
})

test('a database that takes a connection and says nothing is told as away', async () => {
  const sockets = new Set<Socket>()
  const silent = createServer((socket) => void sockets.add(socket.on('error', () => undefined)))
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const { db } = openDatabase({ connectionString: `postgresql://hilum@127.0.0.1:${port}/hilum`, silenceMs: 6_000 })
  try {
    await expect(sql`select 1`.execute(db)).rejects.toBeInstanceOf(DatabaseAwayError)
    expect(sockets.size).toBe(1) // who has waited that long is told at once
  } finally {
    await db.destroy()
    for (const socket of sockets) socket.destroy()
    silent.close()
  }
})

test('a database that hangs keeps one caller at a time waiting, tells the others at once, and serves all once it is back', async () => {
  const { db } = openDatabase({ connectionString: url, max: 1, connectionTimeoutMillis: 6_000, silenceMs: 60_000 })
  const frozen = await freeze(db)
  const ask = () => sql<{ one: number }>`select 1 as one`.execute(db)
  const owed = ask()
  try {
    await expect(ask()).rejects.toBeInstanceOf(DatabaseAwayError)
    // who asks now tries whether it is back
    const tries = ask().then(
      () => 'served',
      () => 'away',
    )
    let isOver = false
    void tries.then(() => (isOver = true))
    const others = await Promise.allSettled([ask(), ask(), ask()])
    expect(others.map((one) => one.status === 'rejected' && one.reason instanceof DatabaseAwayError)).toEqual([
      true,
      true,
      true,
    ])
    expect(isOver).toBe(false)
    frozen.goOn()
    await expect(owed).resolves.toMatchObject({ rows: [{ one: 1 }] })
    await tries
    await expect(Promise.all([ask(), ask()])).resolves.toHaveLength(2)
  } finally {
    frozen.goOn()
    await db.destroy()
  }
})
