import { mayDo } from '@hilum/contract/acts'
import type { accountUserGet } from '@hilum/contract/calls/account-user'
import { listAccountsOfPerson } from '../../access/person.sql.ts'
import type { Handler } from '../handler.ts'
import { presentAccountUser } from './account-user.presenter.ts'
import { findAccountUser, listGroupsOfPerson } from './account-user.sql.ts'

export const userGet: Handler<typeof accountUserGet> = async ({ services, input, caller, on, fail }) => {
  const { user_id: userUuid } = input
  if (userUuid !== caller.userUuid && !mayDo('administerUsers', on)) throw fail('NOT_PERMITTED')
  const row = await findAccountUser(services.db, on.ownerUuid, userUuid)
  if (!row) throw fail('USER_NOT_FOUND')
  const [groups, accounts] = await Promise.all([
    listGroupsOfPerson(services.db, on.ownerUuid, userUuid),
    listAccountsOfPerson(services.db, userUuid),
  ])
  return { ...presentAccountUser(row), groups, locations: [], other_accounts: accounts.length > 1 ? 1 : 0 }
}
