import type { Db } from '../../db/database.ts'
import { findGateConfig } from '../nomination/nomination-form.ts'
import { findNominationState } from '../nomination/nomination.sql.ts'

/**
 * Why an exam leaves for no destination, whoever or whatever asks: its nomination was rejected, at either end, or it lies in
 * a gatekeeper group without one, or in one whose rules for two people and destinations cannot be read.
 */
export async function findLackOfNomination(
  db: Db,
  record: { phi_namespace: string; uuid: string },
): Promise<'rejected' | 'unnominated' | 'unreadable' | undefined> {
  const state = await findNominationState(db, record.uuid)
  if (state === 'rejected') return 'rejected'
  const config = await findGateConfig(db, record.phi_namespace)
  if (config === undefined) return undefined
  if (state === undefined) return 'unnominated'
  return config === 'unreadable' ? 'unreadable' : undefined
}

/** Whether exams that are on their way to a destination may go on there by their nominations. */
export async function isLetThrough(
  db: Db,
  records: readonly { phi_namespace: string; uuid: string }[],
): Promise<boolean> {
  for (const one of records) if (await findLackOfNomination(db, one)) return false
  return true
}
