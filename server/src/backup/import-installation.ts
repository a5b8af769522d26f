import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { verifyAudit } from '../areas/audit/verify-audit.command.ts'
import { listIndexFaults } from '../areas/retention/verify.sql.ts'
import { inWords, type StorageFault } from '../areas/retention/verify-storage.command.ts'
import { assertDatabaseFits } from '../db/database-fitness.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { nameDataFolder } from '../data-folder-name.ts'
import { migrateToLatest, migrationNames } from '../db/migrate.ts'
import { type DatabasePlace, hasEmbeddedDatabase, startDatabase } from '../db/reach-database.ts'
import { openObjectStore } from '../outbound/storage/file-store.ts'
import { BackupError, explainFullDisk } from './backup-error.ts'
import { assertWhole } from './check-export.ts'
import { findHolders } from './earlier-exports.ts'
import { isMissing, listNames, syncFolder, syncTree, writeTextDurably } from './durable-files.ts'
import { importFiles } from './import-files.ts'
import { importMark } from './import-mark.ts'
import { assertEmptyDatabase, importTables } from './import-tables.ts'
import { type Manifest, readManifest } from './manifest.ts'

interface ImportOptions {
  folder: string
  /** Told how far it is, and what is not as it should be, in words. */
  tell: (line: string) => void
  signal: AbortSignal
}

type Imported = { manifest: Manifest; faults: number }

const MAX_FAULTS = 1000

/**
 * Makes an installation from an export, in a data folder and a database that hold nothing yet. Objects come first, then
 * all tables in one transaction: until then there is no installation, and a server refuses to start there. Run again
 * after it was cut short, it goes on where it was. An export of an older Hilum is brought up to date.
 * @returns how many faults the export brought along from where it was made
 * @throws BackupError in words
 */
export async function importInstallation(place: DatabasePlace, options: ImportOptions): Promise<Imported> {
  const folder = resolve(options.folder)
  try {
    const manifest = await readManifest(folder)
    assertSchemaKnown(manifest)
    const isBegun = await isImportBegun(place, manifest)
    const folders = await findHolders(manifest, folder)
    await assertWhole(manifest, folder, folders, options)
    if (!isBegun && place.databaseUrl) await withDatabase(place, (db, pool) => assertEmptyDatabase(db, pool, manifest))
    await mkdir(place.dataFolder, { recursive: true })
    if (!isBegun) await beginAnew(place, manifest, options.tell)
    await importFiles(manifest, {
      ...options,
      folder,
      folders,
      dataFolder: place.dataFolder,
      store: openObjectStore(place.dataFolder),
    })
    const faults = await withDatabase(place, async (db, pool) => {
      await importTables(db, pool, manifest, folder)
      options.tell(`Tables: ${manifest.tables.length} read in.`)
      await migrateToLatest(db)
      await nameDataFolder(db, place.dataFolder)
      return tellFaults(db, manifest, options.tell)
    })
    await rm(importMark(place.dataFolder))
    await syncTreeOf(place.dataFolder)
    return { manifest, faults }
  } catch (error) {
    throw explainFullDisk(error, place.dataFolder)
  }
}

function assertSchemaKnown({ migrations }: Manifest): void {
  if (migrations.every((name, place) => migrationNames[place] === name)) return
  const unknown = migrations.find((name) => !migrationNames.includes(name))
  throw new BackupError(
    unknown
      ? `The export was made by a newer Hilum than this one (it knows ${unknown}): import it with that one.`
      : 'The export was made by another line of Hilum: its database grew in other steps than this one’s.',
  )
}

/** Whether this very export was being imported here before. */
async function isImportBegun({ dataFolder }: DatabasePlace, { uuid }: Manifest): Promise<boolean> {
  const begun = await readMark(dataFolder)
  if (begun === uuid) return true
  const names = (await listNames(dataFolder)).filter((name) => name !== 'lost+found')
  if (begun !== undefined) {
    if (hasEmbeddedDatabase({ dataFolder }))
      throw new BackupError(`Another import into ${dataFolder} was not finished: choose a new HILUM_DATA.`)
    return false
  }
  if (names.length > 0)
    throw new BackupError(`${dataFolder} is not empty (${names.slice(0, 5).join(', ')}): choose a new HILUM_DATA.`)
  return false
}

/** Takes away what an import of another export left before it came to the database, and marks the folder as this one's. */
async function beginAnew(
  { dataFolder }: DatabasePlace,
  { uuid }: Manifest,
  tell: ImportOptions['tell'],
): Promise<void> {
  const mark = importMark(dataFolder)
  const left = (await listNames(dataFolder)).filter((name) => name !== 'lost+found' && join(dataFolder, name) !== mark)
  if (left.length > 0) tell(`Taken away from ${dataFolder}: what an unfinished import of another export left there.`)
  for (const name of left) await rm(join(dataFolder, name), { recursive: true, force: true })
  await writeTextDurably(mark, `${uuid}\n`)
}

async function readMark(dataFolder: string): Promise<string | undefined> {
  try {
    return (await readFile(importMark(dataFolder), 'utf8')).trim()
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

async function withDatabase<Result>(
  place: DatabasePlace,
  act: (db: Database, pool: ReturnType<typeof openDatabase>['pool']) => Promise<Result>,
): Promise<Result> {
  const server = await startDatabase(place)
  const { db, pool } = openDatabase({ connectionString: server.url, options: '-c statement_timeout=0' })
  pool.on('error', () => undefined) // the next statement fails and says so
  try {
    await assertDatabaseFits(pool)
    return await act(db, pool)
  } finally {
    await db.destroy()
    await server.stop()
  }
}

/** Tells of parts that came along damaged, and of tables and seals that contradict each other. */
async function tellFaults(db: Database, manifest: Manifest, tell: (line: string) => void): Promise<number> {
  const faults: StorageFault[] = [...manifest.faults, ...(await listIndexFaults(db, MAX_FAULTS)).map(inWords)]
  const { rows } = await verifyAudit(db, (fault) => faults.push(fault))
  for (const { kind, what, holders = [] } of faults) tell([`${kind}: ${what}`, ...holders].join('\n    '))
  tell(`Audit: ${rows} rows held against their seals.`)
  return faults.length
}

/** The embedded database sees to its own folder, which others may not enter. */
async function syncTreeOf(dataFolder: string): Promise<void> {
  for (const name of await listNames(dataFolder)) if (name === 'tls') await syncTree(join(dataFolder, name))
  await syncFolder(dataFolder)
  await syncFolder(dirname(dataFolder))
}
