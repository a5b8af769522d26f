import type { auditAccount } from '@hilum/contract/calls/audit'
import { filterSql } from '../../db/filter-sql.ts'
import { filterZone } from '../../db/filter-zone.ts'
import type { Handler } from '../handler.ts'
import { presentAccountAudit } from './account-audit.presenter.ts'
import { accountAuditColumns } from './account-audit.sql.ts'
import { demandShown, findHiddenNames } from '../study/hidden-names.command.ts'
import { loadAuditPage } from './audit-page.command.ts'
import { reportAudit } from '../report/report-audit.command.ts'

export const account: Handler<typeof auditAccount> = async ({ services: { db }, input, list, caller, on }) => {
  const hidden = await findHiddenNames(db, on.accountUuid, on.fieldFlags)
  const asksOfStudy = list.filters.some((one) => one.field === 'study')
  if (asksOfStudy) demandShown(hidden, ['patient_name', 'patientid', 'accession_number'])
  const where = filterSql(list.filters, accountAuditColumns, filterZone(caller.timeZone, list.timeZone))
  const { rows, page } = await loadAuditPage(db, on.accountUuid, where, list, input.reverse === 1)
  const report = await reportAudit(db, caller, on, list, where, input, (row) => presentAccountAudit(row, hidden))
  return { events: rows.map((row) => presentAccountAudit(row, hidden)), page, ...report }
}
