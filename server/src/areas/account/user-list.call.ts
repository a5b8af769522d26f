import type { accountUserList } from '@hilum/contract/calls/account-user'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { presentAccountUser } from './account-user.presenter.ts'
import { accountUserColumns, accountUserOrder, listAccountUsers } from './account-user.sql.ts'

export const userList: Handler<typeof accountUserList> = async ({ services, list, caller, on }) => {
  const sqlOfList = listSql(list, accountUserColumns, caller.timeZone, accountUserOrder)
  const { rows, page } = toPage(await listAccountUsers(services.db, on.ownerUuid, sqlOfList), list)
  return { users: rows.map(presentAccountUser), page }
}
