import type { accountUserLeavers } from '@hilum/contract/calls/account-leaver'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { leaverColumns, leaverOrder, listLeavers } from './holdings.sql.ts'

export const userLeavers: Handler<typeof accountUserLeavers> = async ({ services, list, caller, on }) => {
  const asked = listSql(list, leaverColumns, caller.timeZone, leaverOrder)
  const { rows, page } = toPage(await listLeavers(services.db, on.ownerUuid, asked), list)
  return { leavers: rows, page }
}
