import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { databaseAddress } from './start-database.ts'

/**
 * A migrated, empty database for one test file, cloned from the template and dropped after the file's tests.
 * Call it at the top of the file: `const { url } = await freshDatabase()`.
 */
export async function freshDatabase(): Promise<{ url: string }> {
  const server = inject('databaseUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  await onServer(server, `create database ${name} template ${inject('templateDatabase')}`)
  afterAll(() => onServer(server, `drop database ${name} with (force)`))
  return { url: databaseAddress(server, name) }
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
