import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { databaseAddress } from './start-database.ts'

const closingLimitMs = 30_000

/**
 * A migrated, empty database for one test file, cloned from the template and dropped after the file's tests.
 * Call it at the top of the file: `const { url } = await freshDatabase()`.
 */
export async function freshDatabase(): Promise<{ url: string }> {
  const server = inject('databaseUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  // copied as files: by the log, as PostgreSQL does it otherwise, each copy takes three times as long
  const copy = `create database ${name} template ${inject('templateDatabase')} strategy file_copy`
  await onServer(server, (client) => client.query(copy))
  afterAll(() => onServer(server, (client) => drop(client, name)))
  return { url: databaseAddress(server, name) }
}

/** A pool says that it has ended before its connections have closed; dropping under them would be an error in the test. */
async function drop(client: pg.Client, name: string): Promise<void> {
  const deadline = Date.now() + closingLimitMs
  while (Date.now() < deadline) {
    const open = await client.query('select from pg_stat_activity where datname = $1', [name])
    if (open.rowCount === 0) break
    await sleep(10)
  }
  await client.query(`drop database ${name} with (force)`)
}

async function onServer(url: string, act: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await act(client)
  } finally {
    await client.end()
  }
}
