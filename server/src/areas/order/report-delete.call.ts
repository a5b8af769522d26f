import type { orderReportDelete } from '@hilum/contract/calls/order-report'
import type { Handler } from '../handler.ts'
import { openReportToEdit, removeReport } from './replace-reports.command.ts'

export const remove: Handler<typeof orderReportDelete> = async ({ services, input, caller, on }) => {
  await services.db.transaction().execute(async (tx) => {
    await removeReport(tx, caller, await openReportToEdit(tx, caller, on, input.uuid))
  })
  return {}
}
