import type { userPinReset } from '@hilum/contract/calls/session-pin'
import { changePeople } from '../account/change-people.command.ts'
import { lockEnabling, lockMember } from '../account/member.sql.ts'
import { demandNotAbove } from '../account/person.policy.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { endSessionsOfUser } from '../session/end-sessions.sql.ts'
import { mayChangeSignIn } from '../session/pin-session.sql.ts'
import { tellOfReset } from '../session/two-factor.command.ts'
import { deleteTwoFactor } from '../session/two-factor.sql.ts'
import { findUser } from './user.sql.ts'

/** A second factor guards every account of its person, so that no administrator of one of several takes it off. */
export const pinReset: Handler<typeof userPinReset> = async ({ services, caller, on, fail }) => {
  const { userUuid, places } = on
  if (userUuid === caller.userUuid) throw fail('NOT_PERMITTED', { subtype: 'SELF' })
  if (!(await mayChangeSignIn(services.db, caller.sessionUuid))) throw fail('PROOF_REQUIRED')
  const accounts = places.map((one) => one.ownerUuid)
  await changePeople(services.db, accounts, async (tx) => {
    for (const place of places) {
      const member = await lockMember(tx, place.ownerUuid, userUuid)
      if (!member) throw fail('NOT_FOUND')
      demandNotAbove(place, member, caller)
    }
    const state = await lockEnabling(tx, userUuid)
    if (!state?.accounts.every((one) => accounts.includes(one.uuid))) {
      throw fail('NOT_PERMITTED', { subtype: 'OTHER_ACCOUNTS' })
    }
    if (!(await deleteTwoFactor(tx, userUuid))) throw fail('NOT_FOUND', { subtype: 'two_factor' })
    await endSessionsOfUser(tx, userUuid)
    const person = await findUser(tx, userUuid)
    const [accountUuid] = accounts
    if (person && accountUuid) await tellOfReset(tx, accountUuid, person.email)
    for (const one of accounts) {
      await writeAudit(tx, { accountUuid: one, caller, action: 'TWO_FACTOR_RESET', type: 'User', objectUuid: userUuid })
    }
  })
  return {}
}
