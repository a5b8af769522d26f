import type { userEnable } from '@hilum/contract/calls/account-user'
import type { Tx } from '../../db/database.ts'
import { changePeople } from '../account/change-people.command.ts'
import { type Enabling, lockEnabling, lockMember, setMemberDisabled } from '../account/member.sql.ts'
import { demandNotAbove } from '../account/person.policy.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { CallRequest, Handler } from '../handler.ts'
import { endAccess, tellOfEnd } from './end-access.command.ts'
import { setDisabled } from './operator.sql.ts'

type Request = CallRequest<typeof userEnable>

export const enable: Handler<typeof userEnable> = async (request) => {
  const { services, input, caller, on, fail } = request
  const { userUuid, places } = on
  const isDisabled = input.disable === 1
  if (userUuid === caller.userUuid) throw fail('NOT_PERMITTED', { subtype: 'SELF' })
  const accounts = places.map((one) => one.ownerUuid)
  await changePeople(services.db, accounts, async (tx) => {
    for (const place of places) {
      const member = await lockMember(tx, place.ownerUuid, userUuid)
      if (!member) throw fail('NOT_FOUND')
      demandNotAbove(place, member, caller)
    }
    await (isDisabled ? disable(request, tx, accounts) : enableAgain(request, tx, accounts))
    for (const accountUuid of accounts) {
      const action = isDisabled ? 'DISABLE' : 'ENABLE'
      await writeAudit(tx, { accountUuid, caller, action, type: 'User', objectUuid: userUuid })
    }
  })
  return {}
}

/** Somebody who belongs to accounts of others too keeps these. */
async function disable({ on }: Request, tx: Tx, accounts: readonly string[]): Promise<void> {
  const state = await lockEnabling(tx, on.userUuid)
  const [accountUuid] = accounts
  if (state?.has_signed_in && accountUuid && !isOff(state, accounts)) await tellOfEnd(tx, accountUuid, state.email)
  if (!state?.accounts.every((one) => accounts.includes(one.uuid))) {
    await setMemberDisabled(tx, accounts, on.userUuid, true)
    return
  }
  await setDisabled(tx, on.userUuid, true)
  await endAccess(tx, on.userUuid)
}

/** Whether nothing changes. */
function isOff(state: Enabling, accounts: readonly string[]): boolean {
  return state.disabled || state.accounts.every((one) => one.disabled || !accounts.includes(one.uuid))
}

async function enableAgain({ on, fail }: Request, tx: Tx, accounts: readonly string[]): Promise<void> {
  const state = await lockEnabling(tx, on.userUuid)
  const here = state?.accounts.filter((one) => accounts.includes(one.uuid)) ?? []
  if (!state?.disabled && !here.some((one) => one.disabled)) throw fail('NOT_DISABLED')
  if (state?.disabled) {
    if (here.length < state.accounts.length) throw fail('NOT_PERMITTED', { subtype: 'OTHER_ACCOUNTS' })
    await setDisabled(tx, on.userUuid, false)
  }
  await setMemberDisabled(tx, accounts, on.userUuid, false)
}
