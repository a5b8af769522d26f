import type { roleList } from '@hilum/contract/calls/account'
import { permissions } from '@hilum/contract/permissions'
import type { Handler } from '../handler.ts'
import { listSql, toPage } from '../list-page.ts'
import { listRoles, roleColumns, roleOrder, type RoleRow } from './role.sql.ts'

export const list: Handler<typeof roleList> = async ({ services, list, caller, on }) => {
  const sqlOfList = listSql(list, roleColumns, caller.timeZone, roleOrder)
  const { rows, page } = toPage(await listRoles(services.db, on.ownerUuid, sqlOfList), list)
  return { roles: rows.map(presentRole), page }
}

function presentRole(row: RoleRow) {
  const held = new Set(row.permissions)
  return {
    uuid: row.uuid,
    name: row.name,
    description: row.description,
    type: row.type,
    for_account: row.for_account ? 1 : 0,
    for_group: row.for_group ? 1 : 0,
    for_location: row.for_location ? 1 : 0,
    permissions: Object.fromEntries(permissions.map((name) => [name, held.has(name) ? 1 : 0])),
  }
}
