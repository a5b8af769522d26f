import type { auditUser } from '@hilum/contract/calls/audit'
import type { FilterTerm } from '@hilum/contract/list'
import { filterSql } from '../../db/filter-sql.ts'
import { filterZone } from '../../db/filter-zone.ts'
import type { Handler } from '../handler.ts'
import { demandShown, findHiddenNames } from '../study/hidden-names.command.ts'
import { presentAccountAudit } from './account-audit.presenter.ts'
import { accountAuditColumns } from './account-audit.sql.ts'
import { loadAuditPage } from './audit-page.command.ts'

/** The audit of the account, narrowed to one actor. */
export const user: Handler<typeof auditUser> = async ({ services: { db }, input, list, caller, on }) => {
  const hidden = await findHiddenNames(db, on.accountUuid, on.fieldFlags)
  const asksOfStudy = list.filters.some((one) => one.field === 'study')
  if (asksOfStudy) demandShown(hidden, ['patient_name', 'patientid', 'accession_number'])
  const byUser: FilterTerm = { field: 'user_id', condition: 'equals', value: input.user_id, expression: 'user_id' }
  const zone = filterZone(caller.timeZone, list.timeZone)
  const where = filterSql([...list.filters, byUser], accountAuditColumns, zone)
  const { rows, page } = await loadAuditPage(db, on.accountUuid, where, list, input.reverse === 1)
  return { events: rows.map((row) => presentAccountAudit(row, hidden)), page }
}
