import type { Services } from '../../services.ts'
import { writeEvent } from '../event/event.sql.ts'
import { saySharedReady } from '../ingest/say-ready.command.ts'
import { completeShared } from './shared-arrival.sql.ts'

/** Records completed in one transaction. */
const MOST_AT_ONCE = 500

/** Ends the receiving of shared records whose senders have received all. Runs every few seconds; twice does no harm. */
export async function completeSharedStudies({ db, events }: Pick<Services, 'db' | 'events'>): Promise<void> {
  const completed = await db.transaction().execute(async (tx) => {
    const found = await completeShared(tx, MOST_AT_ONCE)
    for (const { phi_namespace, uuid } of found) await writeEvent(tx, 'study', phi_namespace, uuid)
    await saySharedReady(tx, found, { occasion: 'complete' })
    return found
  })
  if (completed.length > 0) events.ring()
}
