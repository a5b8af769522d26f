import type { Db } from '../../db/database.ts'
import { findInboxConfig } from '../nomination/nomination-form.ts'
import { findNominationState } from '../nomination/nomination.sql.ts'
import { wasPushed } from './push.sql.ts'

/**
 * Whether nobody may send an exam by hand: its nomination was rejected, or it lies in a gatekeeper group without one. An
 * exam that a routing rule sent from there is sent again, and so are its late images.
 */
export async function lacksNomination(
  db: Db,
  record: { phi_namespace: string; uuid: string },
  destinationUuid: string,
): Promise<boolean> {
  const state = await findNominationState(db, record.uuid)
  if (state !== undefined) return state === 'rejected'
  const config = await findInboxConfig(db, record.phi_namespace)
  return config?.group_designation === 'GATEKEEPER' && !(await wasPushed(db, record, destinationUuid))
}
