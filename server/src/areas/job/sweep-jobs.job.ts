import type { Services } from '../../services.ts'
import { declaredJobs } from './declared-jobs.ts'
import { deleteJobsBefore, failSilentJobs } from './job.sql.ts'
import { deleteClockWorkBut, deleteEndedWork, failUnknownWork } from './work.sql.ts'

const HOUR_MS = 3_600_000
const SILENT_HOURS = 6
const STORED_HOURS = 24
const ENDED_WORK_DAYS = 30

/**
 * Jobs of the wire of which nothing was heard for hours have failed; those that ended a day ago are forgotten, and after
 * a month the work that was given up. Work of a job that no process knows any more fails with that reason.
 */
export async function sweepJobsAt({ db }: Pick<Services, 'db'>, now: Date): Promise<void> {
  await deleteJobsBefore(db, new Date(now.getTime() - STORED_HOURS * HOUR_MS))
  await failSilentJobs(db, new Date(now.getTime() - SILENT_HOURS * HOUR_MS), {
    error: 'INTERRUPTED',
    message: 'Nothing was heard of this job for hours',
  })
  const known = Object.values(declaredJobs).map(({ name }) => name)
  await failUnknownWork(db, known, {
    error: 'UNKNOWN_JOB',
    message: 'This release does not know such work: another one put it on the queue',
  })
  await deleteClockWorkBut(db, known)
  await deleteEndedWork(db, new Date(now.getTime() - ENDED_WORK_DAYS * 24 * HOUR_MS))
}
