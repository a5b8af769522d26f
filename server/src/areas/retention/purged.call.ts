import type { retentionPurged } from '@hilum/contract/calls/retention'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { latestPurge, listPurged, purgedColumns } from './retention.sql.ts'

export const purged: Handler<typeof retentionPurged> = async ({ services: { db }, list, caller, on }) => {
  const query = listSql(list, purgedColumns, caller.timeZone, latestPurge)
  const { rows, page } = toPage(await listPurged(db, on.ownerUuid, query), list)
  return { exams: rows, page }
}
