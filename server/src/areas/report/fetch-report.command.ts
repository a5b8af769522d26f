import type { Caller } from '../../access/caller.ts'
import type { Database } from '../../db/database.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { takeReportFile, type MadeReport } from './report.sql.ts'

/** Reads the file of a report, and puts on record that it leaves. */
export async function fetchReport(
  db: Database,
  caller: Caller,
  { uuid, account_uuid: accountUuid, name }: MadeReport,
): Promise<{ csv: Buffer; created: Date } | undefined> {
  return db.transaction().execute(async (tx) => {
    const file = await takeReportFile(tx, uuid)
    if (!file) return undefined
    await writeAudit(tx, {
      accountUuid,
      caller,
      action: 'LIST_FETCH',
      type: 'Account',
      objectUuid: accountUuid,
      detail: { report: name, report_id: uuid },
    })
    return file
  })
}
