import type { groupUserList } from '@hilum/contract/calls/group'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { byPart, orderOfPeople } from '../listed-people.sql.ts'
import { groupMemberColumns, groupMemberSorts, listGroupMembers, listGroupMembersByRole } from './group-member.sql.ts'

/** Of groups and of locations. */
export const userList: Handler<typeof groupUserList> = async ({ services, list, caller, on }) => {
  const { sort, parts } = byPart('role_name', list)
  const [columns, sorts] = [groupMemberColumns(on.groupUuid), groupMemberSorts(on.groupUuid)]
  const asked = listSql({ ...list, sort }, columns, caller.timeZone, orderOfPeople(sort), sorts)
  const found = parts
    ? await listGroupMembersByRole(services.db, on.groupUuid, asked, parts)
    : await listGroupMembers(services.db, on.groupUuid, asked)
  const { rows, page } = toPage(found, list)
  return { users: rows.map((row) => ({ ...row, disabled: row.disabled ? 1 : 0 })), page }
}
