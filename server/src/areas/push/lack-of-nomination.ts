import type { Db } from '../../db/database.ts'
import { isGatekeeperGroup } from '../nomination/gatekeeper-group.sql.ts'
import { findNominationState } from '../nomination/nomination.sql.ts'

/**
 * Why an exam leaves for no destination, whoever or whatever asks: its nomination was rejected, at either end, or it lies in
 * a gatekeeper group without one.
 */
export async function findLackOfNomination(
  db: Db,
  record: { phi_namespace: string; uuid: string },
): Promise<'rejected' | 'unnominated' | undefined> {
  const state = await findNominationState(db, record.uuid)
  if (state !== undefined) return state === 'rejected' ? 'rejected' : undefined
  return (await isGatekeeperGroup(db, record.phi_namespace)) ? 'unnominated' : undefined
}

/** Whether exams that are on their way to a destination may go on there by their nominations. */
export async function isLetThrough(
  db: Db,
  records: readonly { phi_namespace: string; uuid: string }[],
): Promise<boolean> {
  for (const one of records) if (await findLackOfNomination(db, one)) return false
  return true
}
