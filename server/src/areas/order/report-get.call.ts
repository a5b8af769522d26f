import type { orderReportGet } from '@hilum/contract/calls/order-report'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { visibleOrders } from './order.policy.ts'
import { findWaitingReport, listWaitingDocuments } from './waiting-report.sql.ts'

export const get: Handler<typeof orderReportGet> = async ({ services, input, caller, on, fail }) => {
  const scope = await visibleOrders(caller, on)
  return services.db.transaction().execute(async (tx) => {
    const report = await findWaitingReport(tx, scope, input.uuid)
    if (!report) throw fail('NOT_FOUND')
    const documents = await listWaitingDocuments(tx, report.uuid)
    const pdfs = documents.filter(({ ending }) => ending === 'pdf').map(({ bytes }) => Buffer.from(bytes))
    const asked = input.document === undefined ? undefined : pdfs[input.document]
    if (input.document !== undefined && !asked) throw fail('NOT_FOUND')
    await writeAudit(tx, {
      accountUuid: on.ownerUuid,
      caller,
      action: 'REPORT_VIEW',
      type: 'Namespace',
      objectUuid: report.namespace_id,
      phiNamespace: report.namespace_id,
      detail: { report: report.number, calling_ae: report.sender },
    })
    return {
      ...report,
      texts: documents.filter(({ ending }) => ending === 'txt').map(({ bytes }) => Buffer.from(bytes).toString('utf8')),
      pdfs: pdfs.map(({ length }) => length),
      pdf: asked ? asked.toString('base64') : null,
    }
  })
}
