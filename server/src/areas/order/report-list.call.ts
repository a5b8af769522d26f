import type { orderReportList } from '@hilum/contract/calls/order-report'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { visibleOrders } from './order.policy.ts'
import { reportListSql } from './report-columns.sql.ts'
import { listWaitingReports } from './waiting-report.sql.ts'

export const list: Handler<typeof orderReportList> = async ({ services, list: query, caller, on }) => {
  const question = reportListSql(query, caller.timeZone)
  const found = await listWaitingReports(services.db, await visibleOrders(caller, on), question)
  const { rows, page } = toPage(found, query)
  return { reports: rows.map(({ study_uid: _uid, ...report }) => report), page }
}
