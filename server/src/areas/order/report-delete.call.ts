import type { orderReportDelete } from '@hilum/contract/calls/order-report'
import type { Handler } from '../handler.ts'
import { findOrderPlace, isInScope, visibleOrders } from './order.policy.ts'
import { removeReport } from './replace-reports.command.ts'
import { lockWaitingReport } from './waiting-report.sql.ts'

export const remove: Handler<typeof orderReportDelete> = async ({ services, input, caller, on, fail }) => {
  const scope = await visibleOrders(caller, on)
  await services.db.transaction().execute(async (tx) => {
    const report = await lockWaitingReport(tx, input.uuid)
    if (!report) throw fail('NOT_FOUND')
    const mayEdit = (await findOrderPlace(caller, on, report.namespace_uuid)) !== undefined
    if (!mayEdit) throw fail(isInScope(scope, report) ? 'NOT_PERMITTED' : 'NOT_FOUND')
    await removeReport(tx, caller, report)
  })
  return {}
}
