import type { orderReportGet } from '@hilum/contract/calls/order-report'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { visibleOrders } from './order.policy.ts'
import { findWaitingPdf, findWaitingReport, listReadableDocuments } from './waiting-report.sql.ts'

export const get: Handler<typeof orderReportGet> = async ({ services, input, caller, on, fail }) => {
  const scope = await visibleOrders(caller, on)
  return services.db.transaction().execute(async (tx) => {
    const report = await findWaitingReport(tx, scope, input.uuid)
    if (!report) throw fail('NOT_FOUND')
    const documents = await listReadableDocuments(tx, report.uuid)
    const { document } = input
    const asked = document === undefined || document < 0 ? undefined : await findWaitingPdf(tx, report.uuid, document)
    if (document !== undefined && !asked) throw fail('NOT_FOUND')
    await writeAudit(tx, {
      accountUuid: on.ownerUuid,
      caller,
      action: 'REPORT_VIEW',
      type: 'Namespace',
      objectUuid: report.namespace_id,
      phiNamespace: report.namespace_id,
      detail: { report: report.number, calling_ae: report.sender, ...(document === undefined ? {} : { document }) },
    })
    return {
      ...report,
      texts: documents.flatMap(({ text }) => (text ? [text.toString('utf8')] : [])),
      pdfs: documents.filter(({ ending }) => ending === 'pdf').map(({ size }) => size),
      pdf: asked ? asked.toString('base64') : null,
    }
  })
}
