import type { Services } from '../../services.ts'
import type { PayloadOf } from '../job/declared-jobs.ts'
import { endShare } from './end-share.command.ts'
import { lockShare } from './share.sql.ts'

/** Clears away what a share gave whose time is over; nobody has seen it since that second. */
export async function endShareInTime(services: Services, { shareUuid }: PayloadOf<'endShare'>): Promise<void> {
  await services.db.transaction().execute(async (tx) => {
    const share = await lockShare(tx, shareUuid)
    if (share?.is_over) await endShare(tx, undefined, shareUuid)
  })
  services.events.ring()
}
