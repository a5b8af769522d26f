import type { Tx } from '../../db/database.ts'
import { writeEvent } from '../event/event.sql.ts'
import { cancelNominations, listSentFrom, projectNomination } from './nomination.sql.ts'

/** Brings the fields of both records up to a nomination, and tells both places. */
export async function tellNomination(tx: Tx, uuid: string): Promise<void> {
  for (const one of await projectNomination(tx, uuid)) await writeEvent(tx, 'study', one.phi_namespace, one.uuid)
}

/** Ends the nominations of shares that are over. */
export async function endNominations(tx: Tx, shareUuids: readonly string[]): Promise<void> {
  for (const uuid of await cancelNominations(tx, shareUuids)) await tellNomination(tx, uuid)
}

/** Has the record that was nominated tell how far the push of its nomination is. */
export async function tellOfPush(tx: Tx, push: { study_uuid: string; destination_uuid: string }): Promise<void> {
  for (const uuid of await listSentFrom(tx, push)) await tellNomination(tx, uuid)
}
