import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRenderPool } from '@hilum/dicom/render/pool'
import { sql } from 'kysely'
import { afterAll } from 'vitest'
import { watchAccess } from '../src/access/access-watch.ts'
import { openEventFeed } from '../src/areas/event/event-feed.ts'
import { createJobFeed } from '../src/areas/job/job-feed.ts'
import { createCertificateTerm } from '../src/certificate-term.ts'
import { readConfig } from '../src/config.ts'
import { openDatabase } from '../src/db/database.ts'
import { openLog } from '../src/log.ts'
import { createMetrics, watchPool } from '../src/metrics.ts'
import { createDiskSpace } from '../src/outbound/storage/disk-space.ts'
import { createFileStore, objectsFolder } from '../src/outbound/storage/file-store.ts'
import { createFileUploadStore } from '../src/outbound/storage/file-upload-store.ts'
import { openSealer } from '../src/sealer.ts'
import type { Services } from '../src/services.ts'
import { freshDatabase } from './fresh-database.ts'

export interface TestServices {
  services: Services
  /** The data folder, gone after the file's tests. */
  folder: string
  /** Address of the database. */
  url: string
  query: <Row>(statement: string) => Promise<Row[]>
}

/**
 * The parts of a server process, with a database and a store of its own. Call it at the top of a test file; what is
 * registered with `afterAll` behind it ends before it does.
 */
export async function openTestServices(environment: NodeJS.ProcessEnv = {}): Promise<TestServices> {
  const { url } = await freshDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'hilum-server-'))
  const { db, pool } = openDatabase({ connectionString: url })
  const log = openLog('silent')
  const events = await openEventFeed(db, pool, log)
  const jobs = createJobFeed(events.handOnJob)
  events.listenToJobs(jobs.takeIn)
  const config = readConfig({ HILUM_DATA: folder, ...environment })
  const disk = createDiskSpace([folder])
  const services: Services = {
    config,
    db,
    store: createFileStore(objectsFolder(folder)),
    uploads: createFileUploadStore(join(folder, 'uploads'), disk.assertRoom),
    disk,
    certificate: createCertificateTerm(),
    render: createRenderPool({ size: 1 }),
    log,
    events,
    access: watchAccess(db, events.listenToAccess, log),
    jobs,
    sealer: await openSealer(folder),
    metrics: createMetrics(config.metricsToken !== undefined),
  }
  watchPool(services.metrics, pool)
  afterAll(async () => {
    await services.render.close()
    await services.access.close()
    await services.events.close()
    await db.destroy()
    await rm(folder, { recursive: true, force: true })
  })
  return {
    services,
    folder,
    url,
    query: async <Row>(statement: string) => (await sql.raw<Row>(statement).execute(db)).rows,
  }
}
