import type { SplitObstacle } from '@hilum/contract/calls/study-split'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Db } from '../../db/database.ts'
import { findHoldOn } from '../storage/hold.sql.ts'
import type { StoredKey } from '../storage/ingest.sql.ts'
import { findRunning, isHeldByOther, isSeparating } from './obstacles.sql.ts'

/** Whatever keeps images of a record from being moved now. @param key the stored study of the record's own images */
export async function listObstacles(
  db: Db,
  record: StudyRecord,
  key: StoredKey | undefined,
  userUuid: string,
): Promise<SplitObstacle[]> {
  const isSettled = record.arrival === 'complete' || record.arrival === 'incomplete'
  return [
    ...(key ? [] : (['of-sender'] as const)),
    ...(isSettled ? [] : (['receiving'] as const)),
    ...(record.must_approve ? (['awaits-approval'] as const) : []),
    ...((await isHeldByOther(db, record.uuid, userUuid)) ? (['locked'] as const) : []),
    ...((await isSeparating(db, record.uuid)) ? (['running'] as const) : []),
    ...(key ? await listBars(db, [key]) : []),
  ]
}

/** Acts and holds on the records of stored studies under which no image may move, by the moment of moving too. */
export async function listBars(
  db: Db,
  keys: readonly StoredKey[],
): Promise<('hold' | 'frozen' | 'nominated' | 'pushing')[]> {
  const bar = await findHoldOn(db, keys)
  const running = await Promise.all(keys.map((key) => findRunning(db, key)))
  return [
    ...(bar ? [bar] : []),
    ...(running.some((one) => one.nominated) ? (['nominated'] as const) : []),
    ...(running.some((one) => one.pushing) ? (['pushing'] as const) : []),
  ]
}
