import type { accountUserReportLogin } from '@hilum/contract/calls/report'
import { listAccountsOfPerson } from '../../access/person.sql.ts'
import { presentAccountAudit } from '../audit/account-audit.presenter.ts'
import { listAuditOfAccount, ofSignIns } from '../audit/account-audit.sql.ts'
import { auditHead, auditLine } from '../report/audit-table.ts'
import type { Handler } from '../handler.ts'
import { makeReport, askedReportRows } from '../report/make-report.command.ts'

export const userReportLogin: Handler<typeof accountUserReportLogin> = async ({
  services: { db },
  input,
  caller,
  on,
  fail,
}) => {
  const page = { limit: askedReportRows, offset: 0, isReversed: false }
  const rows = await listAuditOfAccount(db, on.accountUuid, ofSignIns(input.user_id), page)
  const isKnown =
    !input.user_id || rows.length > 0 || (await listAccountsOfPerson(db, input.user_id)).includes(on.ownerUuid)
  if (!isKnown) throw fail('NOT_FOUND', { subtype: 'user_id' })
  const lines = rows.map((row) => auditLine(presentAccountAudit(row, new Set())))
  const table = { on, act: 'administerUsers', name: 'logins', head: auditHead, lines } as const
  return { report_id: await makeReport(db, caller, table) }
}
