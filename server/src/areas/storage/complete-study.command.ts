import type { Db } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { type CompletedRecord, completeOne, completeQuiet } from './completion.sql.ts'

/**
 * Completes a study whose sender says that all was sent; part of the caller's transaction, who rings afterwards.
 * False when no image has come yet: the study stays announced.
 */
export async function completeStudy(db: Db, key: CompletedRecord, now: Date): Promise<boolean> {
  return completeOne(db, key, now)
}

/** Completes the studies for which no image came during their quiet time. Runs every few seconds; twice does no harm. */
export async function completeQuietStudies(
  services: Pick<Services, 'db' | 'events'>,
  now: Date,
): Promise<CompletedRecord[]> {
  const completed = await completeQuiet(services.db, now)
  if (completed.length > 0) services.events.ring()
  return completed
}
