import type { Caller } from '../../access/caller.ts'
import type { Db } from '../../db/database.ts'
import type { AccountUserRow } from './account-user.sql.ts'
import { findPlaceFlags, listHeldRoles } from './member.sql.ts'
import { isAbove } from './person.policy.ts'
import type { Own } from './promotion.policy.ts'

/** People of an account who may do more than the caller there; nobody stands above oneself. */
export async function findAbove(
  db: Db,
  own: Own & { ownerUuid: string },
  caller: Pick<Caller, 'userUuid' | 'sysadmin'>,
  people: readonly AccountUserRow[],
): Promise<Set<string>> {
  const others = people.filter((one) => one.user_id !== caller.userUuid)
  if (others.length === 0) return new Set()
  const placeFlags = await findPlaceFlags(db, own.ownerUuid)
  const uuids = others.map((one) => one.user_id)
  const roles = new Map((await listHeldRoles(db, own.ownerUuid, uuids)).map((role) => [role.uuid, role]))
  const above = others.filter(({ is_operator, held_roles }) => {
    const held = held_roles.flatMap((uuid) => roles.get(uuid) ?? [])
    return isAbove(own, { is_operator, roles: held, place_flags: placeFlags }, caller)
  })
  return new Set(above.map((one) => one.user_id))
}
