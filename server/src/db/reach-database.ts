import { existsSync } from 'node:fs'
import path from 'node:path'
import { findEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

export interface DatabasePlace {
  /** Undefined: the embedded one in the data folder. */
  databaseUrl: string | undefined
  dataFolder: string
  postgresBinFolder: string | undefined
}

export interface ReachedDatabase {
  url: string
  /** Settles when a database that we started has ended by itself; never for another's. */
  ended: Promise<void>
  /** Stops what we started. */
  stop: () => Promise<void>
}

/**
 * Starts the installation's own database, or gives the address of the one that it is set to use.
 * @throws Error in words when another Hilum runs it already
 */
export async function startDatabase(place: DatabasePlace): Promise<ReachedDatabase> {
  if (place.databaseUrl) return another(place.databaseUrl)
  const { url, ended, stop } = await startEmbeddedPostgres(folderOf(place), place.postgresBinFolder)
  return { url, ended, stop }
}

/**
 * As `startDatabase`, but beside a Hilum that is running: then its database is used, and left running.
 * @throws Error in words when there is no database yet
 */
export async function joinDatabase(place: DatabasePlace): Promise<ReachedDatabase> {
  if (place.databaseUrl) return another(place.databaseUrl)
  const running = findEmbeddedPostgres(folderOf(place))
  if (running) return another(running)
  if (!hasEmbeddedDatabase(place)) throw new Error(`There is no Hilum in ${place.dataFolder}.`)
  return startDatabase(place)
}

/** Whether the data folder holds a database, running or not. */
export function hasEmbeddedDatabase(place: Pick<DatabasePlace, 'dataFolder'>): boolean {
  return existsSync(path.join(folderOf(place), 'PG_VERSION'))
}

function folderOf({ dataFolder }: Pick<DatabasePlace, 'dataFolder'>): string {
  return path.join(dataFolder, 'postgres')
}

function another(url: string): ReachedDatabase {
  return { url, ended: new Promise(() => undefined), stop: async () => undefined }
}
