import type { Tx } from '../../db/database.ts'
import { declaredJobs } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import { listFailedRecords, listForeignRecords } from './ask-again.sql.ts'

/**
 * Has the rules that failed on these records for their patient look at them again, in the transaction that changed the
 * records. After a separation they look once the time for Undo is over.
 */
export async function askFailedRulesAgain(tx: Tx, uuids: readonly string[]): Promise<void> {
  if (uuids.length === 0) return
  for (const { uuid, undo_until: undoUntil } of await listFailedRecords(tx, uuids))
    await askAgain(tx, uuid, undoUntil ?? undefined)
}

/**
 * The same for the exams of an account that no rule sent for the authority of their MRN, once the organisation says whose
 * numbers they are, or that a destination takes them.
 */
export async function askOfForeignMrns(tx: Tx, accountUuid: string): Promise<void> {
  for (const { uuid, undo_until: undoUntil } of await listForeignRecords(tx, accountUuid))
    await askAgain(tx, uuid, undoUntil ?? undefined)
}

async function askAgain(tx: Tx, uuid: string, runAt: Date | undefined): Promise<void> {
  await enqueue(
    tx,
    declaredJobs.askRulesAgain,
    { studyUuid: uuid },
    { key: uuid, group: `route ${uuid}`, ...(runAt ? { runAt } : {}) },
  )
}
