import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Act } from '@hilum/contract/acts'
import { csvMark, csvRows } from '@hilum/contract/csv'
import { ApiError } from '@hilum/contract/errors'
import { maxReportLines } from '@hilum/contract/limits'
import type { FilterTerm } from '@hilum/contract/list'
import type { Caller, Membership } from '../../access/caller.ts'
import { digestOf } from '../../access/sid.ts'
import type { Database } from '../../db/database.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { perReports } from '../session/attempt-rules.ts'
import { mayAttempt } from '../session/attempt.sql.ts'
import { addReport, deleteOldestReports } from './report.sql.ts'

/** Rows that a report asks for: one more than it may have, by which too many are known. */
export const askedReportRows = maxReportLines + 1
/** Lines that are written before other requests have their turn. */
const linesInTurn = 1000

interface Table {
  /** The place and the act that took making it, and that fetching it takes. */
  on: Membership
  act: Act
  /** Name of the file, without its ending. */
  name: string
  head: readonly string[]
  lines: readonly (readonly string[])[]
  /** Filters and the like, as they go on record. */
  asked?: Readonly<Record<string, unknown>>
  /** Namespaces whose patients it holds, where each has a right of its own. */
  places?: readonly string[]
}

/** Filters as they go on record, by field and condition. */
export function askedFilters(filters: readonly FilterTerm[]): Record<string, string | readonly string[]> {
  return Object.fromEntries(filters.map(({ field, condition, value }) => [`${field}.${condition}`, value]))
}

/**
 * Keeps a table as a report of the caller, and puts on record that it was made. Making is counted before the table is
 * read, and the oldest reports of a person make way.
 * @returns the number of the report
 * @throws ApiError LOCKOUT where the caller made too many, REPORT_ERROR where it has too many lines
 */
export async function makeReport(db: Database, caller: Caller, readTable: () => Promise<Table>): Promise<string> {
  if (!(await mayAttempt(db, 'report', digestOf(caller.userUuid), perReports))) throw new ApiError('LOCKOUT')
  const { on, act, name, head, lines, asked = {}, places = [] } = await readTable()
  if (lines.length > maxReportLines) throw new ApiError('REPORT_ERROR')
  const uuid = randomUUID()
  const { accountUuid } = on
  const csv = await writeCsv([head, ...lines])
  await db.transaction().execute(async (tx) => {
    await addReport(tx, {
      uuid,
      userUuid: caller.userUuid,
      accountUuid,
      namespaceUuid: on.namespaceUuid,
      act,
      name,
      csv,
      places,
    })
    await deleteOldestReports(tx, caller.userUuid)
    await writeAudit(tx, {
      accountUuid,
      caller,
      action: 'LIST_REPORT',
      type: 'Account',
      objectUuid: accountUuid,
      detail: { report: name, report_id: uuid, lines: lines.length, ...asked },
    })
  })
  return uuid
}

async function writeCsv(rows: readonly (readonly string[])[]): Promise<Buffer> {
  const parts = [Buffer.from(csvMark)]
  for (let at = 0; at < rows.length; at += linesInTurn) {
    parts.push(Buffer.from(csvRows(rows.slice(at, at + linesInTurn))))
    await nextTurn()
  }
  return Buffer.concat(parts)
}
