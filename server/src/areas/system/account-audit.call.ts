import type { systemAccountAudit } from '@hilum/contract/calls/system'
import { filterSql } from '../../db/filter-sql.ts'
import { filterZone } from '../../db/filter-zone.ts'
import { noteFirstAccess } from '../audit/access.sql.ts'
import { presentAccountAudit } from '../audit/account-audit.presenter.ts'
import { accountAuditColumns } from '../audit/account-audit.sql.ts'
import { loadAuditPage } from '../audit/audit-page.command.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { isClosedAccount } from './closed-account.sql.ts'

/** Roles of a closed account hide fields from nobody any more: whoever answers for it sees the whole row. */
export const accountAudit: Handler<typeof systemAccountAudit> = async (request) => {
  const { services, input, list, caller, fail } = request
  const { db } = services
  const accountUuid = input.account_id
  if (!(await isClosedAccount(db, accountUuid))) throw fail('NOT_FOUND')
  const where = filterSql(list.filters, accountAuditColumns, filterZone(caller.timeZone, list.timeZone))
  await db.transaction().execute(async (tx) => {
    if (!(await noteFirstAccess(tx, caller.sessionUuid, 'AUDIT_READ', accountUuid))) return
    await writeAudit(tx, { accountUuid, caller, action: 'AUDIT_READ', type: 'Account', objectUuid: accountUuid })
  })
  const { rows, page } = await loadAuditPage(db, accountUuid, where, list, false)
  return { events: rows.map((row) => presentAccountAudit(row, new Set())), page }
}
