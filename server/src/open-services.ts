import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createRenderPool } from '@hilum/dicom/render/pool'
import type { Logger } from 'pino'
import { openEventFeed } from './areas/event/event-feed.ts'
import { createJobFeed } from './areas/job/job-feed.ts'
import { refuseUnfinishedImport } from './backup/import-mark.ts'
import type { Config } from './config.ts'
import { assertDatabaseFits } from './db/database-fitness.ts'
import { openDatabase } from './db/database.ts'
import { migrateToLatest } from './db/migrate.ts'
import { startDatabase } from './db/reach-database.ts'
import { openJobQueue } from './outbound/queue/job-queue.ts'
import { createFileStore } from './outbound/storage/file-store.ts'
import type { Services } from './services.ts'

export interface OpenServices {
  services: Services
  /** Settles when the database of our own has ended by itself; never with `DATABASE_URL`. */
  databaseEnded: Promise<void>
  /** Closes everything in the reverse order, the database last. */
  close: () => Promise<void>
}

/**
 * Starts or reaches the database, brings it to the present schema and builds what the process lives on.
 * @throws Error in words for the person who runs the installation; what was opened before is closed again
 */
export async function openServices(config: Config, log: Logger): Promise<OpenServices> {
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const one of closers.splice(0).toReversed()) await one()
  }
  try {
    await mkdir(config.dataFolder, { recursive: true })
    refuseUnfinishedImport(config.dataFolder)
    const database = await startDatabase(config)
    closers.push(() => database.stop())
    const { db, pool } = openDatabase({ connectionString: database.url })
    let isClosing = false
    // the pool calls itself ended before its last sockets are; the database may end those first
    pool.on('error', (error) => isClosing || log.warn({ event: 'database connection lost', err: error }))
    closers.push(() => {
      isClosing = true
      return db.destroy()
    })
    await assertDatabaseFits(pool)
    await bringUpToDate(database.url)
    const events = await openEventFeed(db, pool, log)
    closers.push(() => events.close())
    const queue = await openJobQueue(db, log)
    closers.push(() => queue.close())
    const render = createRenderPool()
    closers.push(() => render.close())
    const store = createFileStore(join(config.dataFolder, 'objects'))
    const services = { config, db, store, render, log, events, jobs: createJobFeed(), queue }
    return { services, databaseEnded: database.ended, close }
  } catch (error) {
    await close()
    throw error
  }
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
