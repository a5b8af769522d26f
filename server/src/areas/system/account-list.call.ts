import type { systemAccountList } from '@hilum/contract/calls/system'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { listSystemAccounts, systemAccountColumns, systemAccountOrder } from './system.sql.ts'

export const accountList: Handler<typeof systemAccountList> = async ({ services, list, caller }) => {
  const sqlOfList = listSql(list, systemAccountColumns, caller.timeZone, systemAccountOrder)
  const { rows, page } = toPage(await listSystemAccounts(services.db, sqlOfList), list)
  const accounts = rows.map((row) => ({ ...row, has_studies: row.has_studies ? (1 as const) : (0 as const) }))
  return { accounts, page }
}
