import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../src/db/database.ts'
import { findSystemBinaries } from '../src/db/embedded-postgres-binaries.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/db/embedded-postgres.ts'
import { migrateToLatest } from '../src/db/migrate.ts'

declare module 'vitest' {
  // Vitest asks for an interface here: declarations of all test set-ups merge into it.
  interface ProvidedContext {
    /** Address of the test server's database `hilum`; for a database of one's own see `freshDatabase`. */
    databaseUrl: string
    /** Name of the migrated database to clone. */
    templateDatabase: string
  }
}

const templateDatabase = 'hilum_template'
let folder: string | undefined
let server: EmbeddedPostgres | undefined

/** Starts one PostgreSQL for all database tests (HILUM_TEST_PG: embedded, system, or the folder of another's programs) and migrates a template in it. */
export async function setup(project: TestProject): Promise<void> {
  folder = mkdtempSync(path.join(os.tmpdir(), 'hilum-db-tests-'))
  chmodSync(folder, 0o755)
  server = await startEmbeddedPostgres(path.join(folder, 'postgres'), binFolder())
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  // The data live for one run only: what costs is waiting for the disk.
  await client.query('alter system set fsync = off')
  await client.query('alter system set full_page_writes = off')
  await client.query('select pg_reload_conf()')
  await client.query(`create database ${templateDatabase}`)
  await client.end()
  await migrate(databaseAddress(server.url, templateDatabase))
  project.provide('databaseUrl', server.url)
  project.provide('templateDatabase', templateDatabase)
}

/** Stops the server and removes its data. */
export async function teardown(): Promise<void> {
  await server?.stop()
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
}

/** The address of another database on the same server. */
export function databaseAddress(url: string, database: string): string {
  return url.replace(/\/[^/?]+\?/, `/${database}?`)
}

function binFolder(): string | undefined {
  const wanted = process.env['HILUM_TEST_PG'] ?? 'embedded'
  if (path.isAbsolute(wanted)) return wanted
  if (wanted !== 'system') return undefined
  const system = findSystemBinaries()
  if (system === undefined)
    throw new Error('HILUM_TEST_PG=system, but no PostgreSQL ≥ 15 is installed in /usr/lib/postgresql.')
  return system.folder
}

async function migrate(url: string): Promise<void> {
  const { db } = openDatabase({ connectionString: url, max: 1 })
  try {
    await migrateToLatest(db)
  } finally {
    await db.destroy()
  }
}
