import type { SweepPart } from '../../outbound/storage/object-store.ts'
import type { Services } from '../../services.ts'
import { declaredJobs, type PayloadOf } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import { listReferencedKeys } from '../storage/instance.sql.ts'

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
export async function sweepOrphans(
  services: Services,
  { after }: PayloadOf<'sweepOrphans'>,
  { most = FILES_PER_RUN }: { most?: number } = {},
): Promise<void> {
  const now = new Date()
  const { next } = await sweepSome(services, now, { most, ...(after ? { after } : {}) })
  if (next) await enqueue(services.db, declaredJobs.sweepOrphans, { after: next }, { key: next })
  else await services.uploads.sweep(new Date(now.getTime() - DAY_MS))
}
