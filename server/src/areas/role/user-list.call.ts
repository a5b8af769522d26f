import type { roleUserList } from '@hilum/contract/calls/role'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { listRolePeople, rolePersonColumns, rolePersonOrder } from './role.sql.ts'

export const userList: Handler<typeof roleUserList> = async ({ services, input, list, caller }) => {
  const sqlOfList = listSql(list, rolePersonColumns, caller.timeZone, rolePersonOrder)
  const { rows, page } = toPage(await listRolePeople(services.db, input.uuid, sqlOfList), list)
  return { users: rows.map((row) => ({ ...row, disabled: row.disabled ? 1 : 0 })), page }
}
