import type { Membership } from '../../access/caller.ts'
import { ApiError } from '@hilum/contract/errors'
import type { Tx } from '../../db/database.ts'
import { findPlaceFlags, listHeldRoles } from '../account/member.sql.ts'
import { areRolesWithin } from '../account/person.policy.ts'

/**
 * The provider of an account decides as whom people sign in, and whether their passwords count: nobody there may hold more
 * than whoever sets or deletes it.
 * @throws ApiError NOT_PERMITTED
 */
export async function demandAboveAll(tx: Tx, on: Membership): Promise<void> {
  const held = await listHeldRoles(tx, on.ownerUuid)
  const placeFlags = await findPlaceFlags(tx, on.ownerUuid)
  if (!areRolesWithin(on, held, placeFlags)) throw new ApiError('NOT_PERMITTED', { subtype: 'ROLE_ABOVE' })
}
