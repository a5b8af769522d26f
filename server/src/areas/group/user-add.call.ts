import type { groupUserAdd } from '@hilum/contract/calls/group'
import { changePeople } from '../account/change-people.command.ts'
import { demandRole, isRoleWithin } from '../account/promotion.policy.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { findRole } from '../role/role.sql.ts'
import { putSentChoices, sendsChoices } from '../user/sent-choices.command.ts'
import { findHeldInGroup, isOfAccount } from './group-member.sql.ts'
import { findGroup } from './group.sql.ts'
import { addGroupMember } from './group-write.sql.ts'
import { auditType } from './place.policy.ts'

/** Of groups and of locations. Nobody changes the role of somebody who may do more there; a person's mails are no right. */
export const userAdd: Handler<typeof groupUserAdd> = async ({ services, input, caller, on, fail }) => {
  const { accountUuid, groupUuid, kind } = on
  const { user_id: userUuid, role_id: roleUuid } = input
  await changePeople(services.db, [accountUuid], async (tx) => {
    const group = await findGroup(tx, groupUuid)
    if (!group) throw fail('NOT_FOUND')
    if (!(await isOfAccount(tx, accountUuid, userUuid))) throw fail('USER_NOT_FOUND')
    const before = await findHeldInGroup(tx, groupUuid, userUuid)
    // flags alone change no role
    const isOfEvents = roleUuid === undefined && sendsChoices(input)
    const isSameRole = before !== undefined && (isOfEvents || before.role_uuid === (roleUuid ?? null))
    if (!isSameRole) {
      const isSelf = userUuid === caller.userUuid
      if (before && !isSelf && !isRoleWithin(on.account, before)) throw fail('NOT_PERMITTED', { subtype: 'ROLE_ABOVE' })
      const given = roleUuid ?? group.default_role_uuid
      // without a role of the place the one in the account holds, which was looked at where it was given
      if (given) demandRole(on.account, await findRole(tx, accountUuid, given), kind)
      await addGroupMember(tx, groupUuid, userUuid, roleUuid)
    }
    const events = await putSentChoices(tx, { userUuid, namespaceUuid: group.namespace_uuid }, input)
    if (isSameRole && Object.keys(events).length === 0) return
    const roles = isSameRole ? {} : { role_id: [before?.role_uuid ?? null, roleUuid ?? null] }
    await writeAudit(tx, {
      accountUuid,
      caller,
      action: before ? 'EDIT' : 'ADD',
      type: `${auditType(kind)}_user`,
      objectUuid: groupUuid,
      detail: { user_id: userUuid, ...roles, ...events },
    })
  })
  return {}
}
