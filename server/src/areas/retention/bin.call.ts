import type { retentionBin } from '@hilum/contract/calls/retention'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { findHiddenNames } from '../study/hidden-names.command.ts'
import { hidePatient } from './hide-patient.ts'
import { binColumns, firstDue, listBin } from './retention.sql.ts'

export const bin: Handler<typeof retentionBin> = async ({ services: { db }, list, caller, on }) => {
  const hidden = await findHiddenNames(db, on.accountUuid, on.fieldFlags)
  const query = listSql(list, binColumns, caller.timeZone, firstDue)
  const { rows, page } = toPage(await listBin(db, on.ownerUuid, new Date(), query), list)
  return { exams: rows.map((row) => hidePatient(row, hidden)), page }
}
