import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { assertDatabaseFits } from '../src/db/database-fitness.ts'
import { freshDatabase } from './fresh-database.ts'
import { databaseAddress } from './start-database.ts'

const one = await freshDatabase()
const other = await freshDatabase()

async function ask(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

it('gives every test file a database of its own', async () => {
  await ask(one.url, 'create table only_here (n int)')
  const find = `select to_regclass('only_here') is not null as found`
  expect(await ask(one.url, find)).toEqual([{ found: true }])
  expect(await ask(other.url, find)).toEqual([{ found: false }])
})

it('has letters beyond ASCII searchable', async () => {
  const client = new pg.Client({ connectionString: one.url })
  await client.connect()
  await assertDatabaseFits(client)
  const { rows } = await client.query(`select show_trgm('É') <> '{}' and show_trgm('山田') <> '{}' as searchable`)
  await client.end()
  expect(rows).toEqual([{ searchable: true }])
})

it('refuses a database whose locale knows ASCII letters only, in words', async () => {
  const server = inject('databaseUrl')
  await ask(server, `create database ascii_only template template0 encoding 'UTF8' locale_provider libc locale 'C'`)
  const client = new pg.Client({ connectionString: databaseAddress(server, 'ascii_only') })
  await client.connect()
  try {
    await expect(assertDatabaseFits(client)).rejects.toThrow('does not take É and 山田 for letters')
  } finally {
    await client.end()
    await ask(server, 'drop database ascii_only')
  }
})

it('refuses a database that is not UTF-8, in words', async () => {
  const server = inject('databaseUrl')
  await ask(server, `create database latin template template0 encoding 'LATIN1' locale_provider libc locale 'C'`)
  const client = new pg.Client({ connectionString: databaseAddress(server, 'latin') })
  await client.connect()
  try {
    await expect(assertDatabaseFits(client)).rejects.toThrow('encoded in LATIN1')
  } finally {
    await client.end()
    await ask(server, 'drop database latin')
  }
})
