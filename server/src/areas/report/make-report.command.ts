import { randomUUID } from 'node:crypto'
import type { Act } from '@hilum/contract/acts'
import { toCsv } from '@hilum/contract/csv'
import { ApiError } from '@hilum/contract/errors'
import { maxReportLines } from '@hilum/contract/limits'
import type { Caller, Membership } from '../../access/caller.ts'
import type { Database } from '../../db/database.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { addReport } from './report.sql.ts'

/** Rows that a report asks for: one more than it may have, by which too many are known. */
export const askedReportRows = maxReportLines + 1

interface Table {
  /** The place and the act that took making it, and that fetching it takes. */
  on: Membership
  act: Act
  /** Name of the file, without its ending. */
  name: string
  head: readonly string[]
  lines: readonly (readonly string[])[]
}

/**
 * Keeps a table as a report of the caller, and puts on record that it was made.
 * @returns the number of the report
 * @throws ApiError REPORT_ERROR where it has too many lines
 */
export async function makeReport(db: Database, caller: Caller, { on, act, name, head, lines }: Table): Promise<string> {
  if (lines.length > maxReportLines) throw new ApiError('REPORT_ERROR')
  const uuid = randomUUID()
  const { accountUuid } = on
  const csv = Buffer.from(toCsv([head, ...lines]))
  await db.transaction().execute(async (tx) => {
    await addReport(tx, {
      uuid,
      userUuid: caller.userUuid,
      accountUuid,
      namespaceUuid: on.namespaceUuid,
      act,
      name,
      csv,
    })
    await writeAudit(tx, {
      accountUuid,
      caller,
      action: 'LIST_REPORT',
      type: 'Account',
      objectUuid: accountUuid,
      detail: { report: name, lines: lines.length },
    })
  })
  return uuid
}
