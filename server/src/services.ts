import type { createRenderPool } from '@hilum/dicom/render/pool'
import type { Log } from './log.ts'
import type { AccessWatch } from './access/access-watch.ts'
import type { EventFeed } from './areas/event/event-feed.ts'
import type { JobFeed } from './areas/job/job-feed.ts'
import type { CertificateTerm } from './certificate-term.ts'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import type { Ballast } from './db/ballast.ts'
import type { ConnectionWatch } from './db/watch-connections.ts'
import type { Metrics } from './metrics.ts'
import type { DiskSpace } from './outbound/storage/disk-space.ts'
import type { ObjectStore } from './outbound/storage/object-store.ts'
import type { UploadStore } from './outbound/storage/upload-store.ts'
import type { Sealer } from './sealer.ts'

/** The long-lived things of one server process. Built once in `main.ts`; everything below is handed them. */
export interface Services {
  config: Config
  db: Database
  store: ObjectStore
  /** Parts of uploads, and files on their way into a wrapper. */
  uploads: UploadStore
  disk: DiskSpace
  /** Until when the certificate of the listeners is valid. */
  certificate: CertificateTerm
  /** Room kept aside for a database of our own. */
  ballast?: Ballast | undefined
  /** Whether the database takes new connections, looked at every few seconds. */
  connections?: ConnectionWatch
  render: ReturnType<typeof createRenderPool>
  log: Log
  events: EventFeed
  access: AccessWatch
  jobs: JobFeed
  sealer: Sealer
  metrics: Metrics
}
