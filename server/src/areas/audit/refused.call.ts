import type { auditRefused } from '@hilum/contract/calls/audit'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { listRefusals, refusalColumns, refusalOrder, refusalSorts } from './refusal.sql.ts'

export const refused: Handler<typeof auditRefused> = async ({ services, list, caller, on }) => {
  const sqlOfList = listSql(list, refusalColumns, caller.timeZone, refusalOrder, refusalSorts)
  const { rows, page } = toPage(await listRefusals(services.db, on.ownerUuid, sqlOfList), list)
  return { refusals: rows, page }
}
