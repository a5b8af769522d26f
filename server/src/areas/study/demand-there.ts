import { ApiError } from '@hilum/contract/errors'
import { findRecordByUuid, type StudyRecord } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'

/**
 * A record as it stands now, behind the locks of an act: what was deleted or taken back since the act began is told as gone,
 * and not as changed.
 * @throws ApiError NOT_FOUND
 */
export async function demandThere(tx: Tx, { uuid }: StudyRecord): Promise<StudyRecord> {
  const now = await findRecordByUuid(tx, uuid)
  if (!now || now.deleted || now.is_taken_back || now.is_retracted) throw new ApiError('NOT_FOUND')
  return now
}
