import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { objectsFolder } from './outbound/storage/file-store.ts'
import type { Db } from './db/database.ts'
import { findDatabaseName, hasOrganisation, hasStoredObjects } from './db/database-name.sql.ts'
import { type DatabasePlace, hasEmbeddedDatabase } from './db/reach-database.ts'

/** Holds the name of the database that a data folder belongs to; no part of exports. */
const nameFile = 'database.name'

/**
 * Refuses a data folder whose database is another one, before a database of its own is made inside it. Objects that this
 * database does not know would be swept from the folder as nobody's.
 * @throws Error in words
 */
export function refuseMissingDatabase(place: Pick<DatabasePlace, 'dataFolder' | 'databaseUrl'>): void {
  if (place.databaseUrl || hasEmbeddedDatabase(place) || readName(place.dataFolder) === undefined) return
  throw new Error(`The data in ${place.dataFolder} belong to a database of your own, and DATABASE_URL is not set.`)
}

/**
 * Refuses a data folder and a database that do not belong together. Nothing is written, so that neither of the two is
 * changed by a setting that names the wrong one.
 * @throws Error in words
 */
export async function refuseForeignFolder(db: Db, dataFolder: string): Promise<void> {
  const name = readName(dataFolder)
  if (name !== undefined && name !== (await findDatabaseName(db)))
    throw new Error(
      `The data in ${dataFolder} belong to another database than this one: look at HILUM_DATA and DATABASE_URL. Where the database is the right one, restored from a time before, remove ${join(dataFolder, nameFile)}.`,
    )
  if (name === undefined && hasObjects(dataFolder) && !(await hasOrganisation(db)))
    throw new Error(`${dataFolder} holds objects, and the database is empty: look at HILUM_DATA and DATABASE_URL.`)
}

/**
 * Refuses to start where the database names objects and the folder holds none: what arrives would lie on another disk.
 * Commands go on, which may save what is left.
 * @throws Error in words
 */
export async function refuseMissingObjects(db: Db, dataFolder: string): Promise<void> {
  if (hasObjects(dataFolder) || !(await hasStoredObjects(db))) return
  throw new Error(
    `The database names objects, and ${dataFolder} holds none: look at HILUM_DATA and DATABASE_URL, and whether the disk is mounted. Where the objects are lost for good, an empty folder ${join(objectsFolder(dataFolder), 'lost')} lets Hilum start without them.`,
  )
}

/** Writes the name of the database into its data folder, where it does not stand yet. @throws as `refuseForeignFolder` */
export async function nameDataFolder(db: Db, dataFolder: string): Promise<void> {
  const name = await findDatabaseName(db)
  if (name === undefined) return
  // of two that start at once, one is the first; a file without a word is what a power cut left
  if (readName(dataFolder) === undefined) await writeName(join(dataFolder, nameFile), name)
  await refuseForeignFolder(db, dataFolder)
}

async function writeName(place: string, name: string): Promise<void> {
  const file = await open(place, 'w')
  try {
    await file.writeFile(`${name}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

function readName(dataFolder: string): string | undefined {
  const place = join(dataFolder, nameFile)
  return existsSync(place) ? readFileSync(place, 'utf8').trim() || undefined : undefined
}

function hasObjects(dataFolder: string): boolean {
  const folder = objectsFolder(dataFolder)
  if (!existsSync(folder)) return false
  return readdirSync(folder, { withFileTypes: true }).some((one) => one.isDirectory() && one.name !== 'lost+found')
}
