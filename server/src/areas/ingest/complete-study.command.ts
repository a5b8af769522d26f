import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { writeEvent } from '../event/event.sql.ts'
import { completeOne, completeQuiet } from './completion.sql.ts'
import { auditLate } from './late-arrival.sql.ts'
import { sayReady } from './say-ready.command.ts'
import type { ReadyReason, ReadyKey } from './study-ready.sql.ts'

/** Studies completed in one transaction: thousands of them may fall quiet at once. */
const MOST_AT_ONCE = 500

/**
 * Completes a study whose sender says that all was sent; part of the caller's transaction, who rings afterwards.
 * False when no image has come yet: the study stays announced.
 */
export async function completeStudy(tx: Tx, key: ReadyKey, now: Date): Promise<boolean> {
  const isComplete = await completeOne(tx, key, now)
  if (isComplete) await settle(tx, [key], 'synced', now)
  return isComplete
}

/** Completes the studies for which no image came during their quiet time. Runs every few seconds; twice does no harm. */
export async function completeQuietStudies(services: Pick<Services, 'db' | 'events'>, now: Date): Promise<ReadyKey[]> {
  const completed: ReadyKey[] = []
  for (;;) {
    const batch = await services.db.transaction().execute(async (tx) => {
      const found = await completeQuiet(tx, now, MOST_AT_ONCE)
      if (found.length > 0) await settle(tx, found, 'quiet', now)
      return found
    })
    completed.push(...batch)
    if (batch.length > 0) services.events.ring()
    if (batch.length < MOST_AT_ONCE) return completed
  }
}

/**
 * Says which of the completed studies are ready, and of the others that their state has changed. Images that came to
 * them late go on record.
 */
async function settle(tx: Tx, completed: readonly ReadyKey[], reason: ReadyReason, now: Date): Promise<void> {
  await auditLate(tx, completed, now)
  const ready = new Set((await sayReady(tx, completed, reason, now)).map(({ uuid }) => uuid))
  for (const { phi_namespace, uuid } of completed) {
    if (!ready.has(uuid)) await writeEvent(tx, 'study', phi_namespace, uuid)
  }
}
