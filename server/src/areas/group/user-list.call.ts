import type { groupUserList } from '@hilum/contract/calls/group'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { orderOfPeople } from '../listed-people.sql.ts'
import { groupMemberColumns, listGroupMembers } from './group-member.sql.ts'

/** Of groups and of locations. */
export const userList: Handler<typeof groupUserList> = async ({ services, list, caller, on }) => {
  const sqlOfList = listSql(list, groupMemberColumns, caller.timeZone, orderOfPeople(list.sort))
  const { rows, page } = toPage(await listGroupMembers(services.db, on.groupUuid, sqlOfList), list)
  return { users: rows.map((row) => ({ ...row, disabled: row.disabled ? 1 : 0 })), page }
}
