import type { Tx } from '../../db/database.ts'
import type { Job } from '../job.ts'
import { giveWork, lockOpenWork } from './work.sql.ts'

/**
 * Takes one of several people who asked for work out of them, in place of a cancellation: the work goes on, as that of
 * another. False, and nothing changed, where nobody else asked.
 * @param note what goes on record with it
 */
export async function withdrawFromWork(
  tx: Tx,
  jobs: readonly Job[],
  uuid: string,
  userUuid: string,
  note: (tx: Tx) => Promise<void>,
): Promise<boolean> {
  const work = await lockOpenWork(tx, uuid)
  const job = jobs.find(({ name }) => name === work?.job)
  const read = job?.payload.safeParse(work?.payload)
  const next = read?.success ? await job?.withdraw?.(tx, read.data, userUuid) : undefined
  if (next === undefined) return false
  await giveWork(tx, uuid, next)
  await note(tx)
  return true
}
