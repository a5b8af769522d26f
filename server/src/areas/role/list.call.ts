import type { roleList } from '@hilum/contract/calls/role'
import { isRoleWithin } from '../account/promotion.policy.ts'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { presentRole } from './role.presenter.ts'
import { listRoles, roleColumns, roleOrder } from './role.sql.ts'

export const list: Handler<typeof roleList> = async ({ services, list, caller, on }) => {
  const sqlOfList = listSql(list, roleColumns, caller.timeZone, roleOrder)
  const { rows, page } = toPage(await listRoles(services.db, on.ownerUuid, sqlOfList), list)
  return { roles: rows.map((row) => ({ ...presentRole(row), is_above: isRoleWithin(on, row) ? 0 : 1 })), page }
}
