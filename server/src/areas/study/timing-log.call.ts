import type { studyTimingLog } from '@hilum/contract/calls/study-acts'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { listTimings, newestTimings, timingColumns } from './study-acts.sql.ts'

export const timingLog: Handler<typeof studyTimingLog> = async ({ services, list, caller, on }) => {
  const question = listSql(list, timingColumns, caller.timeZone, newestTimings)
  const { rows, page } = toPage(await listTimings(services.db, on.record, question), list)
  // uploads are reported by people's browsers; a node would name itself here
  return { events: rows.map((row) => ({ ...row, node_id: null, node_name: '' })), page }
}
