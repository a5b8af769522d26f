import type { retentionKept } from '@hilum/contract/calls/retention'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { findHiddenNames } from '../study/hidden-names.command.ts'
import { hidePatient } from './hide-patient.ts'
import { retainedColumns, retainedSorts, listRetained, newestRetained } from './retention.sql.ts'

export const kept: Handler<typeof retentionKept> = async ({ services: { db }, list, caller, on }) => {
  const hidden = await findHiddenNames(db, on.accountUuid, on.fieldFlags)
  const query = listSql(list, retainedColumns, caller.timeZone, newestRetained, retainedSorts)
  const { rows, page } = toPage(await listRetained(db, on.ownerUuid, new Date(), query), list)
  return {
    kept: rows.map((row) => ({
      ...hidePatient(row, hidden),
      uuid: row.uuid ?? '',
      namespace_id: row.namespace_id ?? '',
      is_deleted: row.is_deleted ? 1 : 0,
    })),
    page,
  }
}
