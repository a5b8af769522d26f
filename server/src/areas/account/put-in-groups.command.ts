import type { GroupChoice } from '@hilum/contract/calls/account-user'
import { ApiError } from '@hilum/contract/errors'
import { uuidForm } from '@hilum/contract/wire'
import type { Tx } from '../../db/database.ts'
import { addGroupMember } from '../group/group-write.sql.ts'
import { findRole } from '../role/role.sql.ts'
import { deleteGroupMember, listGroupPlaces } from './group-places.sql.ts'
import { demandRole, type Own } from './promotion.policy.ts'

/**
 * Puts a person into these groups, or locations, of an account, and out of all others of it.
 * @param own what the caller holds in the account: nobody gives more
 * @returns the groups before and after, undefined when nothing changed
 * @throws ApiError NOT_FOUND naming groups, and as `demandRole`
 */
export async function putInGroups(
  tx: Tx,
  place: { accountUuid: string; userUuid: string; own: Own; kind?: 'group' | 'location' },
  choice: GroupChoice,
): Promise<[before: string[], after: string[]] | undefined> {
  const { accountUuid, userUuid, own, kind = 'group' } = place
  const wanted = readChoice(choice, `${kind}s`)
  const places = await listGroupPlaces(tx, accountUuid, userUuid, kind)
  const known = new Map(places.map((one) => [one.uuid, one]))
  if ([...wanted.keys()].some((uuid) => !known.has(uuid))) throw new ApiError('NOT_FOUND', { subtype: `${kind}s` })
  let isChanged = false
  for (const [uuid, role] of wanted) {
    const there = known.get(uuid)
    if (there?.own_role === role) continue
    isChanged = true
    const given = role || there?.default_role
    // without a role of the group's the one in the account holds, which was looked at where it was given
    if (given) demandRole(own, await findRole(tx, accountUuid, given), kind)
    await addGroupMember(tx, uuid, userUuid, role || undefined)
  }
  const before = places.filter((one) => one.own_role !== null).map((one) => one.uuid)
  const left = before.filter((uuid) => !wanted.has(uuid))
  if (left.length > 0) await deleteGroupMember(tx, left, userUuid)
  return isChanged || left.length > 0 ? [before, [...wanted.keys()].toSorted()] : undefined
}

/** Role by group; an empty role is the group's default. */
function readChoice(choice: GroupChoice, field: string): Map<string, string> {
  return new Map(
    choice.map(({ uuid, role_id: role = '' }) => {
      if (!uuidForm.test(uuid)) throw new ApiError('NOT_FOUND', { subtype: field })
      if (role && !uuidForm.test(role)) throw new ApiError('ROLE_NOT_FOUND')
      return [uuid.toLowerCase(), role.toLowerCase()]
    }),
  )
}
