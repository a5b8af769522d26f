import type { studyTimingLog } from '@hilum/contract/calls/study-acts'
import { sql } from 'kysely'
import type { Handler } from '../handler.ts'
import { listSql, toPage } from '../list-page.ts'
import { listTimings } from './study-acts.sql.ts'

const columns = {
  created: { kind: 'stamp', column: sql.ref('t.created') },
  event: { kind: 'exact', column: sql.ref('t.event') },
  size: { kind: 'integer', column: sql.ref('t.size') },
} as const

export const timingLog: Handler<typeof studyTimingLog> = async ({ services, list, caller, on }) => {
  const question = listSql(list, columns, caller.timeZone, sql`t.id desc`)
  const { rows, page } = toPage(await listTimings(services.db, on.record, question), list)
  // uploads are reported by people's browsers; a node would name itself here
  return { events: rows.map((row) => ({ ...row, node_id: null, node_name: '' })), page }
}
