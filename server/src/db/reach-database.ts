import { existsSync } from 'node:fs'
import path from 'node:path'
import { type Ballast, createBallast } from './ballast.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import { refusePooler } from './pooler-check.ts'
import type { WatchedDatabase } from './watch-connections.ts'
import { type Supervision, supervisePostgres } from './supervise-postgres.ts'

export interface DatabasePlace {
  /** Undefined: the embedded one in the data folder. */
  databaseUrl: string | undefined
  dataFolder: string
  postgresBinFolder: string | undefined
}

interface ReachedDatabase {
  url: string
  /** Room that is kept on the disk of a database of our own. */
  ballast: Ballast | undefined
  /** Of a database of our own, for whoever watches it. */
  own?: WatchedDatabase['own']
  /** Stops what we started. */
  stop: () => Promise<void>
}

/** Hears when a database of our own ends and comes back. */
export type TellReach = Supervision['tell']

/**
 * Starts the installation's own database and keeps it running, or gives the address of the one that it is set to use.
 * @throws Error in words when another Hilum runs it already
 */
export async function startDatabase(place: DatabasePlace, tell: TellReach = () => undefined): Promise<ReachedDatabase> {
  if (place.databaseUrl) return reachAnother(place.databaseUrl)
  const ballast = createBallast(place.dataFolder)
  const { url, stop, ...own } = await supervisePostgres({
    start: (socketFolder) => startEmbeddedPostgres(folderOf(place), place.postgresBinFolder, socketFolder),
    makeRoom: async () => ballast.release('to start'),
    tell,
  })
  return { url, ballast, own, stop }
}

/**
 * As `startDatabase`, but beside a Hilum that is running: then its database is used, and left running.
 * @throws Error in words when there is no database yet
 */
export async function joinDatabase(place: DatabasePlace): Promise<ReachedDatabase> {
  if (place.databaseUrl) return reachAnother(place.databaseUrl)
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

/** @throws Error in words when a pooler stands before the database */
async function reachAnother(url: string): Promise<ReachedDatabase> {
  await refusePooler(url)
  return another(url)
}

function another(url: string): ReachedDatabase {
  return { url, ballast: undefined, stop: async () => undefined }
}
