import { mayDo } from '@hilum/contract/acts'
import type { accountUserGet } from '@hilum/contract/calls/account-user'
import { listAccountsOfPerson } from '../../access/person.sql.ts'
import type { Handler } from '../handler.ts'
import { findTwoFactorState } from '../session/two-factor.sql.ts'
import { readChoices } from '../user/read-choices.ts'
import { presentAccountUser } from './account-user.presenter.ts'
import { findAccountUser, type GroupPlaceRow, listGroupsOfPerson } from './account-user.sql.ts'
import { findSignIn } from './sign-in-limits.sql.ts'

export const userGet: Handler<typeof accountUserGet> = async ({ services, input, caller, on, fail }) => {
  const { user_id: userUuid } = input
  if (userUuid !== caller.userUuid && !mayDo('administerUsers', on)) throw fail('NOT_PERMITTED')
  const row = await findAccountUser(services.db, on.ownerUuid, userUuid)
  if (!row) throw fail('USER_NOT_FOUND')
  const [places, accounts, twoFactor, signIn, events] = await Promise.all([
    listGroupsOfPerson(services.db, on.ownerUuid, userUuid),
    listAccountsOfPerson(services.db, userUuid),
    findTwoFactorState(services.db, userUuid),
    findSignIn(services.db, on.ownerUuid, userUuid),
    readChoices(services.db, userUuid, on),
  ])
  const of = (kind: GroupPlaceRow['kind']) =>
    places.filter((one) => one.kind === kind).map(({ kind: _kind, ...place }) => place)
  return {
    ...presentAccountUser(row),
    groups: of('group'),
    locations: of('location'),
    other_accounts: accounts.length > 1 ? 1 : 0,
    pin_required: twoFactor.is_on ? 1 : 0,
    pin_demanded: signIn?.pin_required === 1 ? 1 : 0,
    session_expire: signIn?.session_expire ?? 0,
    max_sessions: signIn?.max_sessions ?? 0,
    password_reset: signIn?.password_reset === 1 ? 1 : 0,
    ...events,
  }
}
