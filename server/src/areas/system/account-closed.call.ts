import type { systemAccountClosed } from '@hilum/contract/calls/system'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { closedAccountColumns, closedAccountOrder, listClosedAccounts } from './closed-account.sql.ts'

export const accountClosed: Handler<typeof systemAccountClosed> = async ({ services, list, caller }) => {
  const sqlOfList = listSql(list, closedAccountColumns, caller.timeZone, closedAccountOrder)
  const { rows, page } = toPage(await listClosedAccounts(services.db, sqlOfList), list)
  return { accounts: rows, page }
}
