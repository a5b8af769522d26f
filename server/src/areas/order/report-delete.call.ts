import type { orderReportDelete } from '@hilum/contract/calls/order-report'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { findOrderPlace, isInScope, visibleOrders } from './order.policy.ts'
import { deleteWaitingReport, lockWaitingReport } from './waiting-report.sql.ts'

export const remove: Handler<typeof orderReportDelete> = async ({ services, input, caller, on, fail }) => {
  const scope = await visibleOrders(caller, on)
  await services.db.transaction().execute(async (tx) => {
    const report = await lockWaitingReport(tx, input.uuid)
    if (!report) throw fail('NOT_FOUND')
    const mayEdit = (await findOrderPlace(caller, on, report.namespace_uuid)) !== undefined
    if (!mayEdit) throw fail(isInScope(scope, report) ? 'NOT_PERMITTED' : 'NOT_FOUND')
    await deleteWaitingReport(tx, report.uuid)
    await writeAudit(tx, {
      accountUuid: report.account_uuid,
      caller,
      action: 'REPORT_REMOVE',
      type: 'Namespace',
      objectUuid: report.namespace_uuid,
      phiNamespace: report.namespace_uuid,
      detail: { report: report.number, calling_ae: report.sender, control_id: report.control_id },
    })
  })
  return {}
}
