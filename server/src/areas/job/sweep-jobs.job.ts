import type { Services } from '../../services.ts'
import type { Job } from '../job.ts'
import { deleteJobsBefore, failSilentJobs } from './job.sql.ts'

const HOUR_MS = 3_600_000
const SILENT_HOURS = 6
const KEPT_HOURS = 24

/** Jobs of which nothing was heard for hours have failed; those that ended a day ago are forgotten. */
export async function sweepJobsAt({ db }: Pick<Services, 'db'>, now: Date): Promise<void> {
  await deleteJobsBefore(db, new Date(now.getTime() - KEPT_HOURS * HOUR_MS))
  await failSilentJobs(db, new Date(now.getTime() - SILENT_HOURS * HOUR_MS), {
    error: 'INTERRUPTED',
    message: 'Nothing was heard of this job for hours',
  })
}

export const sweepJobs: Job<object> = {
  name: 'sweep-jobs',
  schedule: '37 * * * *',
  retries: 2,
  expireSeconds: 120,
  run: (services) => sweepJobsAt(services, new Date()),
}
