import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createRenderPool } from '@hilum/dicom/render/pool'
import type { Log } from './log.ts'
import { watchAccess } from './access/access-watch.ts'
import { openEventFeed } from './areas/event/event-feed.ts'
import { createJobFeed } from './areas/job/job-feed.ts'
import { refuseUnfinishedImport } from './backup/import-mark.ts'
import { createCertificateTerm } from './certificate-term.ts'
import type { Config } from './config.ts'
import { nameDataFolder, refuseForeignFolder, refuseMissingDatabase, refuseMissingObjects } from './data-folder-name.ts'
import { assertDatabaseFits } from './db/database-fitness.ts'
import { openDatabase } from './db/database.ts'
import { migrateToLatest } from './db/migrate.ts'
import { noteReleaseIn, refuseNewerRelease } from './db/release-mark.ts'
import { startDatabase, type TellReach } from './db/reach-database.ts'
import { type ConnectionEvent, watchNewConnections } from './db/watch-connections.ts'
import { createMetrics, watchPool } from './metrics.ts'
import { createDiskSpace } from './outbound/storage/disk-space.ts'
import { objectsFolder, openObjectStore } from './outbound/storage/file-store.ts'
import { createFileUploadStore } from './outbound/storage/file-upload-store.ts'
import { openSealer } from './sealer.ts'
import type { Services } from './services.ts'

interface OpenServices {
  services: Services
  /** Closes everything in the reverse order, the database last. */
  close: () => Promise<void>
}

/**
 * Starts or reaches the database, brings it to the present schema and builds what the process lives on.
 * @throws Error in words for the person who runs the installation; what was opened before is closed again
 */
export async function openServices(config: Config, log: Log): Promise<OpenServices> {
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const one of closers.splice(0).toReversed()) await one()
  }
  try {
    await mkdir(config.dataFolder, { recursive: true })
    refuseUnfinishedImport(config.dataFolder)
    refuseNewerRelease(config.dataFolder)
    refuseMissingDatabase(config)
    const database = await startDatabase(config, (event, error) => tellOfDatabase(log, event, error))
    closers.push(() => database.stop())
    const { db, pool } = openDatabase({ connectionString: database.url })
    const connections = watchNewConnections(database, { tell: (event, fault) => tellOfConnections(log, event, fault) })
    closers.push(() => connections.close())
    let isClosing = false
    // the pool calls itself ended before its last sockets are; the database may end those first
    pool.on('error', (error) => isClosing || log.warn({ event: 'database connection lost', err: error }))
    closers.push(() => {
      isClosing = true
      return db.destroy()
    })
    await assertDatabaseFits(pool)
    await refuseForeignFolder(db, config.dataFolder)
    await refuseMissingObjects(db, config.dataFolder)
    await bringUpToDate(database.url)
    await nameDataFolder(db, config.dataFolder)
    await noteReleaseIn(config.dataFolder)
    const events = await openEventFeed(db, pool, log)
    closers.push(() => events.close())
    const jobs = createJobFeed(events.handOnJob)
    events.listenToJobs(jobs.takeIn)
    const access = watchAccess(db, events.listenToAccess, log)
    closers.push(() => access.close())
    const render = createRenderPool()
    closers.push(() => render.close())
    const disk = createDiskSpace([config.dataFolder, objectsFolder(config.dataFolder)])
    const store = openObjectStore(config.dataFolder, disk.assertRoom)
    const uploads = createFileUploadStore(join(config.dataFolder, 'uploads'), disk.assertRoom)
    const sealer = await openSealer(config.dataFolder)
    const { ballast } = database
    const metrics = createMetrics(config.metricsToken !== undefined)
    watchPool(metrics, pool)
    const services = {
      config,
      db,
      store,
      uploads,
      disk,
      certificate: createCertificateTerm(),
      ballast,
      connections,
      render,
      log,
      events,
      access,
      jobs,
      sealer,
      metrics,
    }
    return { services, close }
  } catch (error) {
    await close()
    throw error
  }
}

function tellOfDatabase(log: Log, ...[event, error]: Parameters<TellReach>): void {
  const cause = error === undefined ? {} : { err: error }
  if (event === 'started again') log.warn({ event: `database ${event}`, ...cause })
  else log.error({ event: `database ${event}`, ...cause })
}

function tellOfConnections(log: Log, event: ConnectionEvent, fault: string | undefined): void {
  if (event === 'takes new connections again') log.warn({ event: `database ${event}` })
  else log.error({ event: `database ${event}`, fault })
}

/** On a connection of its own: rewriting a large table takes longer than any request may. */
async function bringUpToDate(url: string): Promise<void> {
  const { db } = openDatabase({ connectionString: url, max: 1, options: '-c statement_timeout=0' })
  try {
    await migrateToLatest(db)
  } finally {
    await db.destroy()
  }
}
