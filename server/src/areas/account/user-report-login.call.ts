import type { accountUserReportLogin } from '@hilum/contract/calls/report'
import { listAccountsOfPerson } from '../../access/person.sql.ts'
import { presentAccountAudit } from '../audit/account-audit.presenter.ts'
import { listAuditOfAccount, ofSignIns } from '../audit/account-audit.sql.ts'
import { auditHead, auditLine } from '../report/audit-table.ts'
import type { Handler } from '../handler.ts'
import { askedReportRows, makeReport } from '../report/make-report.command.ts'

export const userReportLogin: Handler<typeof accountUserReportLogin> = async ({
  services: { db },
  input,
  caller,
  on,
  fail,
}) => {
  const { user_id: person } = input
  const page = { limit: askedReportRows, offset: 0, isReversed: false }
  const report_id = await makeReport(db, caller, async () => {
    const rows = await listAuditOfAccount(db, on.accountUuid, ofSignIns(person), page)
    const isKnown = !person || rows.length > 0 || (await listAccountsOfPerson(db, person)).includes(on.ownerUuid)
    if (!isKnown) throw fail('NOT_FOUND', { subtype: 'user_id' })
    const lines = rows.map((row) => auditLine(presentAccountAudit(row, new Set())))
    const asked = person ? { user_id: person } : {}
    return { on, act: 'administerUsers', name: 'logins', head: auditHead, lines, asked }
  })
  return { report_id }
}
