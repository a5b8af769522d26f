import { auditedStudy, type auditUser } from '@hilum/contract/calls/audit'
import type { FilterTerm } from '@hilum/contract/list'
import { filterSql } from '../../db/filter-sql.ts'
import { filterZone } from '../../db/filter-zone.ts'
import type { CallRequest, Handler } from '../handler.ts'
import { demandShown, findHiddenNames } from '../study/hidden-names.command.ts'
import { presentAccountAudit } from './account-audit.presenter.ts'
import { type AccountAuditRow, accountAuditColumns } from './account-audit.sql.ts'
import { loadAuditPage } from './audit-page.command.ts'
import { reportAudit } from '../report/report-audit.command.ts'

/** The audit of the account, narrowed to one actor. */
export const user: Handler<typeof auditUser> = async (request) => {
  const { services, input, list, caller, on } = request
  const { db } = services
  const hidden = await findHiddenNames(db, on.accountUuid, on.fieldFlags)
  const asksOfStudy = list.filters.some((one) => one.field === 'study')
  if (asksOfStudy) demandShown(hidden, ['patient_name', 'patientid', 'accession_number'])
  const byUser: FilterTerm = { field: 'user_id', condition: 'equals', value: input.user_id, expression: 'user_id' }
  const zone = filterZone(caller.timeZone, list.timeZone)
  const filters = [...list.filters, byUser]
  const where = filterSql(filters, accountAuditColumns, zone)
  const { rows, page } = await loadAuditPage(db, on.accountUuid, where, list, input.reverse === 1)
  const present = presentWith(request, hidden)
  const report = await reportAudit(db, caller, on, { filters }, where, input, present)
  return { events: rows.map(present), page, ...report }
}

/** Events whose study has the fields alone that were asked for. @throws ApiError INVALID_FIELD */
function presentWith({ input, fail }: CallRequest<typeof auditUser>, hidden: ReadonlySet<string>) {
  const wanted = input.study_fields
  const unknown = wanted?.find((name) => !Object.hasOwn(auditedStudy.shape, name))
  if (unknown !== undefined) throw fail('INVALID_FIELD', { subtype: unknown })
  return (row: AccountAuditRow) => {
    const event = presentAccountAudit(row, hidden)
    if (!wanted || !event.study) return event
    return {
      ...event,
      study: Object.fromEntries(Object.entries(event.study).filter(([name]) => wanted.includes(name))),
    }
  }
}
