import { createReadStream } from 'node:fs'
import { copyIn } from '../db/copy.ts'
import type { ConnectionPool, Database, PooledConnection } from '../db/database.ts'
import { listAppliedMigrations, migrateTo } from '../db/migrate.ts'
import { BackupError } from './backup-error.ts'
import { type Manifest, partsOf } from './manifest.ts'
import {
  copyTableIn,
  fixFormats,
  hasRows,
  listReferences,
  listTables,
  renewRightsEpoch,
  setSequence,
  withoutTriggers,
} from './tables.sql.ts'

/** @throws BackupError when the database holds anything; the empty tables of a cut-short import are nothing */
export async function assertEmptyDatabase(db: Database, pool: ConnectionPool, manifest: Manifest): Promise<void> {
  const applied = await listAppliedMigrations(db)
  const isBegun = applied.length > 0 && applied.join() === manifest.migrations.join()
  const client = await pool.connect()
  try {
    const tables = await listTables(client)
    if (applied.length === 0 && tables.length === 0) return
    if (isBegun && !(await isFilled(client, tables))) return
  } finally {
    client.release()
  }
  throw new BackupError('The database is not empty: an import needs a new one.')
}

/**
 * Makes the tables as they were in the version that exported, and fills them in one transaction. Where that was done
 * before, by an import that was cut short later, nothing is done again.
 */
export async function importTables(
  db: Database,
  pool: ConnectionPool,
  manifest: Manifest,
  folder: string,
): Promise<void> {
  const applied = await listAppliedMigrations(db)
  if (applied.length < manifest.migrations.length) await migrateTo(db, manifest.migrations.at(-1) ?? '')
  const client = await pool.connect()
  try {
    await client.query('begin')
    await fixFormats(client)
    if (!(await isFilled(client, manifest.tables))) await fillTables(client, manifest, folder)
    await client.query('commit')
    await client.query('analyze')
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
}

async function isFilled(client: PooledConnection, tables: readonly { name: string }[]): Promise<boolean> {
  for (const { name } of tables) if (await hasRows(client, name)) return true
  return false
}

async function fillTables(client: PooledConnection, manifest: Manifest, folder: string): Promise<void> {
  const here = new Set((await listTables(client)).map((table) => table.name))
  const foreign = manifest.tables.find((table) => !here.has(table.name) && table.rows > 0)
  if (foreign) throw new BackupError(`The export has a table that is not Hilum’s: ${foreign.name}.`)
  for (const table of inOrderOfReference(manifest.tables, await listReferences(client))) {
    if (table.rows === 0) continue
    const rows = await withoutTriggers(client, table.name, () =>
      copyIn(client, copyTableIn(table), createReadStream(partsOf(folder).table(table.name))),
    )
    if (rows !== table.rows) throw new BackupError(`${rows} of ${table.rows} rows of ${table.name} went in.`)
  }
  await renewRightsEpoch(client)
  for (const sequence of manifest.sequences) await setSequence(client, sequence)
}

/** Tables that others refer to come before those. */
function inOrderOfReference(
  tables: Manifest['tables'],
  references: readonly { from: string; to: string }[],
): Manifest['tables'] {
  const ordered: Manifest['tables'] = []
  const placed = new Set<string>()
  let waiting = tables
  while (waiting.length > 0) {
    const names = new Set(waiting.map((table) => table.name))
    const isFree = (name: string) => !references.some(({ from, to }) => from === name && names.has(to))
    const free = waiting.filter((table) => isFree(table.name))
    if (free.length === 0) throw new BackupError('The tables refer to each other in a circle.')
    for (const table of free) placed.add(table.name)
    ordered.push(...free)
    waiting = waiting.filter((table) => !placed.has(table.name))
  }
  return ordered
}
