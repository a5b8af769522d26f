import type { Job } from '../job.ts'
import { deleteDeadSessions } from './session-sweep.sql.ts'

export const sweepSessions: Job<object> = {
  name: 'sweep-sessions',
  schedule: '29 * * * *',
  retries: 2,
  expireSeconds: 120,
  run: async ({ db }) => deleteDeadSessions(db),
}
