import type { Job } from '../job.ts'
import { deleteOldEvents } from './event.sql.ts'

export const sweepEvents: Job<object> = {
  name: 'sweep-events',
  schedule: '17 * * * *',
  retries: 2,
  expireSeconds: 120,
  run: async ({ db }) => deleteOldEvents(db),
}
