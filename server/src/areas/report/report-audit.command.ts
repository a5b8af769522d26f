import type { Caller, Membership } from '../../access/caller.ts'
import type { Database } from '../../db/database.ts'
import type { ListQuery } from '@hilum/contract/list'
import { askedFilters, askedReportRows, makeReport } from './make-report.command.ts'
import { type AccountAuditRow, listAuditOfAccount } from '../audit/account-audit.sql.ts'
import { auditHead, auditLine } from './audit-table.ts'

/** Makes a file of all events that a question finds, where the caller asks for one. */
export async function reportAudit(
  db: Database,
  caller: Caller,
  on: Membership,
  { filters }: Pick<ListQuery, 'filters'>,
  where: Parameters<typeof listAuditOfAccount>[2],
  { download, reverse }: { download?: 0 | 1 | undefined; reverse?: 0 | 1 | undefined },
  present: (row: AccountAuditRow) => Parameters<typeof auditLine>[0],
): Promise<{ report_id?: string }> {
  if (download !== 1) return {}
  const page = { limit: askedReportRows, offset: 0, isReversed: reverse === 1 }
  const report_id = await makeReport(db, caller, async () => {
    const rows = await listAuditOfAccount(db, on.accountUuid, where, page)
    const lines = rows.map((row) => auditLine(present(row)))
    return { on, act: 'seeAudit', name: 'audit', head: auditHead, lines, asked: { filters: askedFilters(filters) } }
  })
  return { report_id }
}
