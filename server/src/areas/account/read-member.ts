import type { OutputOf } from '@hilum/contract/call'
import type { accountUserGet } from '@hilum/contract/calls/account-user'
import type { Caller, Membership } from '../../access/caller.ts'
import { listAccountsOfPerson } from '../../access/person.sql.ts'
import type { Db } from '../../db/database.ts'
import { listDefinitions } from '../customfield/customfield.sql.ts'
import { findTwoFactorState } from '../session/two-factor.sql.ts'
import { readChoices } from '../user/read-choices.ts'
import { presentAccountUser } from './account-user.presenter.ts'
import { findAccountUser, type GroupPlaceRow, listGroupsOfPerson } from './account-user.sql.ts'
import { findAbove } from './find-above.ts'
import { findSignIn } from './sign-in-limits.sql.ts'

type MemberDetail = OutputOf<typeof accountUserGet>

/** A person of an account with groups, limits and mails. */
export async function readMember(
  db: Db,
  on: Membership,
  caller: Pick<Caller, 'userUuid' | 'sysadmin'>,
  userUuid: string,
): Promise<MemberDetail | undefined> {
  const row = await findAccountUser(db, on.ownerUuid, userUuid)
  if (!row) return undefined
  // one after the other: inside a transaction there is one connection
  const places = await listGroupsOfPerson(db, on.ownerUuid, userUuid)
  const accounts = await listAccountsOfPerson(db, userUuid)
  const twoFactor = await findTwoFactorState(db, userUuid)
  const signIn = await findSignIn(db, on.ownerUuid, userUuid)
  const above = await findAbove(db, on, caller, [row])
  const definitions = await listDefinitions(db, [on.ownerUuid], 'User_account')
  const of = (kind: GroupPlaceRow['kind']) =>
    places.filter((one) => one.kind === kind).map(({ kind: _kind, ...place }) => place)
  return {
    ...presentAccountUser(row, definitions, above.has(userUuid)),
    groups: of('group'),
    locations: of('location'),
    other_accounts: accounts.length > 1 ? 1 : 0,
    pin_required: twoFactor.is_on ? 1 : 0,
    pin_demanded: signIn?.pin_required === 1 ? 1 : 0,
    sso_only: signIn?.sso_only === 1 ? 1 : 0,
    session_expire: signIn?.session_expire ?? 0,
    max_sessions: signIn?.max_sessions ?? 0,
    password_reset: signIn?.password_reset === 1 ? 1 : 0,
    ...(await readChoices(db, userUuid, on)),
  }
}
