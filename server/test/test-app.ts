import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRenderPool } from '@hilum/dicom/render/pool'
import { sql } from 'kysely'
import { afterAll } from 'vitest'
import { openEventFeed } from '../src/areas/event/event-feed.ts'
import { createJobFeed } from '../src/areas/event/job-feed.ts'
import { readConfig } from '../src/config.ts'
import { openDatabase } from '../src/db/database.ts'
import { buildApp } from '../src/inbound/http/app.ts'
import { openLog } from '../src/log.ts'
import { openJobQueue } from '../src/outbound/queue/job-queue.ts'
import { createFileStore } from '../src/outbound/storage/file-store.ts'
import type { Services } from '../src/services.ts'
import { freshDatabase } from './fresh-database.ts'

export interface CallReply {
  status: number
  // the tests read replies as a client does, without a schema
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
  cookie: string | undefined
}
export interface TestApp {
  services: Services
  /** Calls by POST and JSON, as the web app does. */
  call: (path: string, sent?: Record<string, unknown>, options?: CallOptions) => Promise<CallReply>
  query: <Row>(statement: string) => Promise<Row[]>
}
export interface CallOptions {
  method?: 'GET' | 'POST'
  /** Body to send instead of the fields, e.g. of a bundle. */
  body?: unknown
  headers?: Record<string, string>
  address?: string
}

/** The HTTP side of one server process, with its own database. Call it at the top of a test file. */
export async function startTestApp(environment: NodeJS.ProcessEnv = {}): Promise<TestApp> {
  const { url } = await freshDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'hilum-calls-'))
  const { db, pool } = openDatabase({ connectionString: url, max: 5 })
  const log = openLog('silent')
  const services: Services = {
    config: readConfig({ HILUM_DATA: folder, ...environment }),
    db,
    store: createFileStore(join(folder, 'objects')),
    render: createRenderPool({ size: 1 }),
    log,
    events: await openEventFeed(db, pool, log),
    jobs: createJobFeed(),
    queue: await openJobQueue(db, log),
  }
  const app = await buildApp(services, { web: { app: folder, proviewer: folder }, viewer: { folder: undefined } })
  afterAll(async () => {
    await app.close()
    await services.queue.close()
    await services.events.close()
    await services.render.close()
    await db.destroy()
    await rm(folder, { recursive: true, force: true })
  })
  return {
    services,
    query: async <Row>(statement: string) => (await sql.raw<Row>(statement).execute(db)).rows,
    call: async (path, sent = {}, { method = 'POST', body, headers = {}, address = '127.0.0.1' } = {}) => {
      const reply = await app.inject({
        method,
        url: `/api/v3/${path}`,
        remoteAddress: address,
        headers,
        ...(method === 'GET' ? { query: sent as Record<string, string> } : { payload: (body ?? sent) as object }),
      })
      const setCookie = reply.headers['set-cookie']
      return {
        status: reply.statusCode,
        body: reply.json(),
        cookie: Array.isArray(setCookie) ? setCookie[0] : setCookie,
      }
    },
  }
}
