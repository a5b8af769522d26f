import type { accountUserDelete } from '@hilum/contract/calls/account-user'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { endAccess, tellOfEnd } from '../user/end-access.command.ts'
import { setDisabled } from '../user/operator.sql.ts'
import { changePeople } from './change-people.command.ts'
import { deleteMember, lockMember, nameOf } from './member.sql.ts'
import { demandNotAbove } from './person.policy.ts'

export const userDelete: Handler<typeof accountUserDelete> = async ({ services, input, caller, on, fail }) => {
  const accountUuid = on.ownerUuid
  const { user_id: userUuid } = input
  if (userUuid === caller.userUuid) throw fail('NOT_PERMITTED', { subtype: 'SELF' })
  await changePeople(services.db, [accountUuid], async (tx) => {
    const member = await lockMember(tx, accountUuid, userUuid)
    if (!member) throw fail('USER_NOT_FOUND')
    demandNotAbove(on, member, caller)
    await deleteMember(tx, accountUuid, userUuid)
    if (member.other_accounts === 0) {
      await setDisabled(tx, userUuid, true)
      await endAccess(tx, userUuid)
    }
    if (member.has_signed_in && !member.disabled) await tellOfEnd(tx, accountUuid, member.email)
    const detail = { role_uuid: member.role_uuid, name: nameOf(member) }
    await writeAudit(tx, { accountUuid, caller, action: 'DELETE', type: 'User', objectUuid: userUuid, detail })
  })
  return {}
}
