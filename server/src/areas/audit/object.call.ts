import type { AuditEvent, auditObject } from '@hilum/contract/calls/audit'
import { filterSql } from '../../db/filter-sql.ts'
import { filterZone } from '../../db/filter-zone.ts'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { askedFilters, askedReportRows, makeReport } from '../report/make-report.command.ts'
import { findHiddenNames } from '../study/hidden-names.command.ts'
import { withoutHidden, withWhom } from './audit-detail.ts'
import { auditHead, auditLine } from '../report/audit-table.ts'
import { type AuditRow, auditColumns, listAuditOfObject } from './audit.sql.ts'

export const object: Handler<typeof auditObject> = async ({ services, input, list, caller, on }) => {
  const { rows: limit, number } = list.page
  const where = filterSql(list.filters, auditColumns, filterZone(caller.timeZone, list.timeZone))
  const found = await listAuditOfObject(services.db, on.record.uuid, where, {
    limit: limit + 1,
    offset: (number - 1) * limit,
    isReversed: input.reverse === 1,
  })
  const { rows, page } = toPage(found, list)
  const hidden = await findHiddenNames(services.db, on.record.account_uuid, on.membership.fieldFlags)
  const present = (row: AuditRow): AuditEvent => ({
    uuid: String(row.id),
    action: row.action,
    type: row.type,
    what: on.record.uuid,
    who: row.actor_name,
    proxy: row.proxy,
    when: row.at,
    detail: withoutHidden(row.detail, hidden),
    with: withWhom(row.detail),
    client_address: row.client_address,
    actor_kind: row.actor_kind,
  })
  if (input.download !== 1) return { events: rows.map(present), page }
  const whole = { limit: askedReportRows, offset: 0, isReversed: input.reverse === 1 }
  const report_id = await makeReport(services.db, caller, async () => {
    const all = await listAuditOfObject(services.db, on.record.uuid, where, whole)
    return {
      on: on.membership,
      act: 'seeHistory',
      name: 'history',
      head: auditHead,
      lines: all.map((row) => auditLine(present(row))),
      asked: { study: on.record.uuid, filters: askedFilters(list.filters) },
    }
  })
  return { events: rows.map(present), page, report_id }
}
