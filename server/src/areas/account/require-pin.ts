import { mayDo } from '@hilum/contract/acts'
import { userSet } from '@hilum/contract/calls/user'
import { changePeople } from './change-people.command.ts'
import { lockMember, updatePinRequired } from './member.sql.ts'
import { demandNotAbove } from './person.policy.ts'
import { mayChangeSignIn } from '../session/pin-session.sql.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { CallRequest } from '../handler.ts'

/**
 * Requires the second factor of one person of an account, or no longer; the person's open sessions stay.
 * @throws ApiError NOT_FOUND for a person or an account that the caller may not know, NOT_PERMITTED for another change
 */
export async function requirePin({ services, input, caller, fail }: CallRequest<typeof userSet>, userUuid: string) {
  const { uuid: _, account_id: accountUuid, pin_required: flag, ...others } = input
  const place = (await caller.memberships()).find((one) => one.kind === 'account' && one.ownerUuid === accountUuid)
  if (!accountUuid || !place) throw fail('NOT_FOUND')
  if (!mayDo(userSet.asks['pin_required of another person'], place)) throw fail('NOT_PERMITTED')
  await changePeople(services.db, [accountUuid], async (tx) => {
    const member = await lockMember(tx, accountUuid, userUuid)
    if (!member) throw fail('NOT_FOUND')
    demandNotAbove(place, member, caller)
    const [other] = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : [name]))
    if (other) throw fail('NOT_PERMITTED', { subtype: other })
    if (flag === undefined) throw fail('MISSING_FIELDS', { subtype: ['pin_required'] })
    if (!(await updatePinRequired(tx, accountUuid, userUuid, flag === 1))) return
    if (flag === 0 && !(await mayChangeSignIn(tx, caller.sessionUuid))) throw fail('PROOF_REQUIRED')
    const detail = { pin_required: [1 - flag, flag] }
    await writeAudit(tx, { accountUuid, caller, action: 'EDIT', type: 'User', objectUuid: userUuid, detail })
  })
  return {}
}
