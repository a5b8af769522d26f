import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import type { Job } from '../job.ts'
import { giveUp } from './end-work.command.ts'
import { cancelled } from './work-failure.ts'
import { markCancelled } from './work.sql.ts'

/**
 * Cancels work: at once while it waits; a run is told and ends when it listens. Effects of a run until then stay.
 * @param note what goes on record with it
 * @returns `gone` when it has ended, or comes by the clock
 */
export async function cancelWork(
  services: Pick<Services, 'db' | 'jobs'>,
  jobs: readonly Job[],
  uuid: string,
  userUuid: string,
  note?: (tx: Tx) => Promise<void>,
): Promise<'cancelled' | 'cancelling' | 'gone'> {
  const { state, tell } = await services.db.transaction().execute(async (tx) => {
    const found = await markCancelled(tx, uuid, userUuid, cancelled)
    if (found) await note?.(tx)
    const job = jobs.find(({ name }) => name === found?.job)
    const isOver = found?.state === 'cancelled'
    return { state: found?.state, tell: isOver && job ? await giveUp(tx, job, found, cancelled) : undefined }
  })
  tell?.(services)
  if (state === undefined) return 'gone'
  return state === 'cancelled' ? 'cancelled' : 'cancelling'
}
