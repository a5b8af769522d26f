import type { orderReportList } from '@hilum/contract/calls/order-report'
import { maxListedReports } from '@hilum/contract/limits'
import type { Handler } from '../handler.ts'
import { visibleOrders } from './order.policy.ts'
import { listWaitingReports } from './waiting-report.sql.ts'

export const list: Handler<typeof orderReportList> = async ({ services, caller, on }) => ({
  reports: await listWaitingReports(services.db, await visibleOrders(caller, on), maxListedReports),
})
