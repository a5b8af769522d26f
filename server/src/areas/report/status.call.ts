import type { reportStatus } from '@hilum/contract/calls/report'
import type { Handler } from '../handler.ts'
import { findOwnReport } from './find-own-report.ts'

export const status: Handler<typeof reportStatus> = async ({ services, input, caller, fail }) => {
  if (!(await findOwnReport(services.db, caller, input.report_id))) throw fail('NOT_FOUND')
  return { percent: 100 }
}
