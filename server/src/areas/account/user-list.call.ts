import type { accountUserList } from '@hilum/contract/calls/account-user'
import { listDefinitions } from '../customfield/customfield.sql.ts'
import { customFieldColumns, customFieldSorts } from '../customfield/field-columns.sql.ts'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { byPart, orderOfPeople } from '../listed-people.sql.ts'
import { presentAccountUser } from './account-user.presenter.ts'
import { findAbove } from './find-above.ts'
import {
  accountUserColumns,
  accountUserSorts,
  fieldsOfPerson,
  listAccountUsers,
  listAccountUsersByRole,
} from './account-user.sql.ts'

export const userList: Handler<typeof accountUserList> = async ({ services, list, caller, on }) => {
  const { sort, parts } = byPart('role_name', list)
  const definitions = await listDefinitions(services.db, [on.ownerUuid], 'User_account')
  const asked = listSql(
    { ...list, sort },
    { ...accountUserColumns, ...customFieldColumns(definitions, fieldsOfPerson) },
    caller.timeZone,
    orderOfPeople(sort),
    { ...accountUserSorts, ...customFieldSorts(definitions, fieldsOfPerson) },
  )
  const found = parts
    ? await listAccountUsersByRole(services.db, on.ownerUuid, asked, parts)
    : await listAccountUsers(services.db, on.ownerUuid, asked)
  const { rows, page } = toPage(found, list)
  const above = await findAbove(services.db, on, caller, rows)
  return { users: rows.map((row) => presentAccountUser(row, definitions, above.has(row.user_id))), page }
}
