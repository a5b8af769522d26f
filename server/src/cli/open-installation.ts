import type { Config } from '../config.ts'
import { type ConnectionPool, type Database, openDatabase } from '../db/database.ts'
import { refuseForeignFolder, refuseMissingDatabase } from '../data-folder-name.ts'
import { assertKnownSteps, listAppliedMigrations, migrationNames } from '../db/migrate.ts'
import { joinDatabase } from '../db/reach-database.ts'
import { refuseNewerRelease } from '../db/release-mark.ts'
import { openObjectStore } from '../outbound/storage/file-store.ts'
import type { ObjectStore } from '../outbound/storage/object-store.ts'

export interface Installation extends AsyncDisposable {
  config: Config
  db: Database
  pool: ConnectionPool
  store: ObjectStore
}

/** Opens what is installed as it is, beside a running Hilum or without one. Changes nothing. */
export async function openInstallation(config: Config): Promise<Installation> {
  refuseNewerRelease(config.dataFolder)
  refuseMissingDatabase(config)
  const database = await joinDatabase(config)
  // a command that reads everything takes longer than any request may
  const { db, pool } = openDatabase({ connectionString: database.url, options: '-c statement_timeout=0' })
  pool.on('error', () => undefined) // the next statement fails and says so
  const close = async () => {
    await db.destroy()
    await database.stop()
  }
  try {
    await refuseForeignFolder(db, config.dataFolder)
  } catch (error) {
    await close()
    throw error
  }
  return { config, db, pool, store: openObjectStore(config.dataFolder), [Symbol.asyncDispose]: close }
}

/** @throws Error in words when the database is of an older or newer Hilum than this one */
export async function assertPresentSchema(db: Database): Promise<void> {
  await assertKnownSteps(db)
  const applied = await listAppliedMigrations(db)
  if (applied.length < migrationNames.length)
    throw new Error(
      'The database was made by an older Hilum than this one: start Hilum once, which brings it up to date.',
    )
}
