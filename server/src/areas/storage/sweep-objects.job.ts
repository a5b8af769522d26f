import type { SweepPart } from '../../outbound/storage/file-store.ts'
import type { Services } from '../../services.ts'
import type { Job } from '../job.ts'
import { listReferencedKeys } from './instance.sql.ts'
import { sweepUploads } from './upload-parts.ts'

const DAY_MS = 86_400_000
/** Files looked at in one run, which take minutes on a slow disk: far less than the queue allows a run. */
const FILES_PER_RUN = 200_000

type Sweeping = Pick<Services, 'db' | 'store' | 'log'>

/** Deletes objects that were never listed (a kill between file and commit) and are older than a day. Gives how many. */
export async function sweepObjects(services: Sweeping, now: Date): Promise<number> {
  return (await sweepSome(services, now, {})).swept.length
}

async function sweepSome({ db, store, log }: Sweeping, now: Date, part: SweepPart) {
  const result = await store.sweep(new Date(now.getTime() - DAY_MS), (keys) => listReferencedKeys(db, keys), part)
  if (result.swept.length > 0) log.info({ event: 'orphans swept', objects: result.swept.length })
  return result
}

/**
 * Objects that a kill left between their file and their row, and uploads in chunks that were never completed. A store of
 * millions of files is swept in several runs, each of which asks for the next.
 */
export function makeSweepOrphans(filesPerRun: number): Job<{ after?: string }> {
  const name = 'sweep-orphans'
  return {
    name,
    schedule: '7 3 * * *',
    retries: 2,
    expireSeconds: 3_600,
    run: async (services, { after }) => {
      const now = new Date()
      const { next } = await sweepSome(services, now, { most: filesPerRun, ...(after ? { after } : {}) })
      if (next) await services.queue.enqueue(services.db, name, { after: next }, next)
      else await sweepUploads(services, new Date(now.getTime() - DAY_MS))
    },
  }
}

export const sweepOrphans = makeSweepOrphans(FILES_PER_RUN)
