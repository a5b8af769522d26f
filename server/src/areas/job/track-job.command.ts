import { StorageError, storageErrors } from '@hilum/contract/storage-errors'
import type { Services } from '../../services.ts'
import type { JobKey, JobProgress } from './job-feed.ts'
import { beginRequest, endRequest, endWork, goOnWork, type JobFault, putOffWork, putProgress } from './job.sql.ts'

type Tracking = Pick<Services, 'db' | 'jobs' | 'log'>

/** Does what a request asks for as a part of the job that it names; without a name it is told nowhere. */
export async function doAsJob<T>(services: Tracking, key: JobKey | undefined, act: () => Promise<T>): Promise<T> {
  if (!key) return act()
  await tell(services, beginRequest(services.db, key))
  let fault: JobFault | undefined
  try {
    return await act()
  } catch (error) {
    fault = faultOf(error)
    throw error
  } finally {
    await tell(services, endRequest(services.db, key, fault))
  }
}

/** Tells that work of the job waits in the queue, under this uuid. Call it before the work can begin. */
export function tellPutOff(services: Tracking, key: JobKey, work: string): Promise<void> {
  return tell(services, putOffWork(services.db, key, work))
}

export function tellProgress(
  services: Tracking,
  key: JobKey,
  work: string,
  progress: { sent: number; total: number },
): Promise<void> {
  return tell(services, goOnWork(services.db, key, work, progress))
}

/** Tells that work from the queue has ended; told twice, it ended once. */
export function tellEnd(services: Tracking, key: JobKey, work: string, error?: unknown): Promise<void> {
  return tell(services, endWork(services.db, key, work, error === undefined ? undefined : faultOf(error)))
}

/** Tells where a download stands, and keeps it for those who ask. */
export function storeProgress(services: Tracking, progress: JobProgress): Promise<void> {
  return tell(services, putProgress(services.db, progress))
}

/** The work is what counts: that its state could not be kept is logged, and fails nothing. */
async function tell({ jobs, log }: Tracking, stored: Promise<JobProgress | undefined>): Promise<void> {
  try {
    const progress = await stored
    if (progress) jobs.tell(progress)
  } catch (error) {
    log.error({ event: 'state of a job not kept', err: error })
  }
}

/** Words of ours alone: those of a database or a parser may quote a patient. */
function faultOf(error: unknown): JobFault {
  if (error instanceof StorageError) return { error: error.code, message: error.message }
  return { error: 'STORAGE_EXCEPTION_OCCURRED', message: storageErrors.STORAGE_EXCEPTION_OCCURRED[2] }
}
