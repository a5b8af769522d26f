import type { accountUserList } from '@hilum/contract/calls/account-user'
import { listDefinitions } from '../customfield/customfield.sql.ts'
import { customFieldColumns, customFieldSorts } from '../customfield/field-columns.sql.ts'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { orderOfPeople } from '../listed-people.sql.ts'
import { presentAccountUser } from './account-user.presenter.ts'
import { findAbove } from './find-above.ts'
import { accountUserColumns, fieldsOfPerson, listAccountUsers, listAccountUsersByRole } from './account-user.sql.ts'

export const userList: Handler<typeof accountUserList> = async ({ services, list, caller, on }) => {
  const [first, ...others] = list.sort
  const isByRole = first?.field === 'role_name'
  const sort = isByRole ? others.filter(({ field }) => field !== 'role_name') : list.sort
  const definitions = await listDefinitions(services.db, [on.ownerUuid], 'User_account')
  const asked = listSql(
    { ...list, sort },
    { ...accountUserColumns, ...customFieldColumns(definitions, fieldsOfPerson) },
    caller.timeZone,
    orderOfPeople(sort),
    { ...accountUserColumns, ...customFieldSorts(definitions, fieldsOfPerson) },
  )
  const found = isByRole
    ? await listAccountUsersByRole(services.db, on.ownerUuid, asked, { ...list.page, isDescending: first.descending })
    : await listAccountUsers(services.db, on.ownerUuid, asked)
  const { rows, page } = toPage(found, list)
  const above = await findAbove(services.db, on, caller, rows)
  return { users: rows.map((row) => presentAccountUser(row, definitions, above.has(row.user_id))), page }
}
