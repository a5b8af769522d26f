import type { roleUserList } from '@hilum/contract/calls/role'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { byPart } from '../listed-people.sql.ts'
import {
  listRolePeople,
  listRolePeopleByPlace,
  orderOfRolePeople,
  rolePersonColumns,
  rolePersonSorts,
} from './role.sql.ts'

export const userList: Handler<typeof roleUserList> = async ({ services, input, list, caller }) => {
  const { sort, parts } = byPart('place_name', list)
  const tieBreak = orderOfRolePeople(sort)
  const asked = listSql({ ...list, sort }, rolePersonColumns, caller.timeZone, tieBreak, rolePersonSorts)
  const found = parts
    ? await listRolePeopleByPlace(services.db, input.uuid, asked, parts)
    : await listRolePeople(services.db, input.uuid, asked)
  const { rows, page } = toPage(found, list)
  return { users: rows.map((row) => ({ ...row, disabled: row.disabled ? 1 : 0 })), page }
}
