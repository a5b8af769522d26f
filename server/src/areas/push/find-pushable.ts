import { uuidForm } from '@hilum/contract/wire'
import type { Db } from '../../db/database.ts'
import { type DestinationRow, findOpenDestination } from '../destination/destination.sql.ts'
import { findInboxConfig } from '../setting/inbox-config.sql.ts'

/**
 * A destination that is open to a place and, where the place is a gatekeeper group that names its destinations, is one
 * of those. Where that configuration cannot be read, `findLackOfNomination` lets nothing leave.
 */
export async function findPushable(
  db: Db,
  destinationUuid: string,
  namespaceUuid: string,
): Promise<DestinationRow | undefined> {
  if (!uuidForm.test(destinationUuid)) return undefined
  const config = await findInboxConfig(db, namespaceUuid)
  const named = config?.group_designation === 'GATEKEEPER' ? config.pushable_destinations : []
  const isNamed = named.some((one) => one.toLowerCase() === destinationUuid.toLowerCase())
  if (named.length > 0 && !isNamed) return undefined
  return findOpenDestination(db, destinationUuid, namespaceUuid)
}
