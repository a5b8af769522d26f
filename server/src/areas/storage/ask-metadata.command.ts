import type { Db } from '../../db/database.ts'
import { declaredJobs } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import { listRecordsToWriteAhead } from './ahead.sql.ts'

/**
 * Has the metadata of these records written before somebody opens them, and of the records that were given their images.
 * Part of the transaction that makes the earlier ones old: arrival, correction, share.
 */
export async function askMetadata(tx: Db, uuids: readonly string[]): Promise<void> {
  if (uuids.length === 0) return
  for (const studyUuid of await listRecordsToWriteAhead(tx, uuids))
    await enqueue(tx, declaredJobs.writeMetadata, { studyUuid }, { key: studyUuid })
}
