import type { groupUserDelete } from '@hilum/contract/calls/group'
import { changePeople } from '../account/change-people.command.ts'
import { deleteGroupMember } from '../account/group-places.sql.ts'
import { isRoleWithin } from '../account/promotion.policy.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { findHeldInGroup } from './group-member.sql.ts'
import { auditType } from './place.policy.ts'

/** Of groups and of locations. Nobody takes out somebody who may do more there. */
export const userDelete: Handler<typeof groupUserDelete> = async ({ services, input, caller, on, fail }) => {
  const { accountUuid, groupUuid, kind } = on
  const { user_id: userUuid } = input
  await changePeople(services.db, [accountUuid], async (tx) => {
    const before = await findHeldInGroup(tx, groupUuid, userUuid)
    if (!before) throw fail('NOT_FOUND', { subtype: 'user_id' })
    const isSelf = userUuid === caller.userUuid
    if (!isSelf && !isRoleWithin(on.account, before)) throw fail('NOT_PERMITTED', { subtype: 'ROLE_ABOVE' })
    await deleteGroupMember(tx, [groupUuid], userUuid)
    await writeAudit(tx, {
      accountUuid,
      caller,
      action: 'DELETE',
      type: `${auditType(kind)}_user`,
      objectUuid: groupUuid,
      detail: { user_id: userUuid, role_id: [before.role_uuid, null] },
    })
  })
  return {}
}
