import type { Services } from '../../services.ts'
import type { Job } from '../job.ts'
import { giveUp } from './end-work.command.ts'
import { cancelled } from './work-failure.ts'
import { markCancelled } from './work.sql.ts'

/**
 * Cancels work: at once while it waits; a run is told and ends when it listens. Effects of a run until then stay.
 * @returns `gone` when it has ended, or comes by the clock
 */
export async function cancelWork(
  services: Pick<Services, 'db' | 'jobs'>,
  jobs: readonly Job[],
  uuid: string,
  userUuid: string,
): Promise<'cancelled' | 'cancelling' | 'gone'> {
  const { state, tell } = await services.db.transaction().execute(async (tx) => {
    const found = await markCancelled(tx, uuid, userUuid, cancelled)
    const job = jobs.find(({ name }) => name === found?.job)
    const isOver = found?.state === 'cancelled'
    return { state: found?.state, tell: isOver && job ? await giveUp(tx, job, found, cancelled) : undefined }
  })
  tell?.(services)
  if (state === undefined) return 'gone'
  return state === 'cancelled' ? 'cancelled' : 'cancelling'
}
