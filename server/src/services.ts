import type { createRenderPool } from '@hilum/dicom/render/pool'
import type { Logger } from 'pino'
import type { EventFeed } from './areas/event/event-feed.ts'
import type { JobFeed } from './areas/job/job-feed.ts'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import type { JobQueue } from './outbound/queue/job-queue.ts'
import type { FileStore } from './outbound/storage/file-store.ts'

/** The long-lived things of one server process. Built once in `main.ts`; everything below is handed them. */
export interface Services {
  config: Config
  db: Database
  store: FileStore
  render: ReturnType<typeof createRenderPool>
  log: Logger
  events: EventFeed
  jobs: JobFeed
  queue: JobQueue
}
