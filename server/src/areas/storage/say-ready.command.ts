import type { Tx } from '../../db/database.ts'
import { insertReady, type ReadyReason, type ReadyRecord, type RecordKey } from './study-ready.sql.ts'

/**
 * Says that these records are ready, in the transaction that makes them so: the one place for every way in (POST, STOW,
 * C-STORE, the upload of the screen, files made into images, restoring). Each is ready once for what arrived, however
 * often somebody says so, and again when later images have come.
 *
 * Work that follows from a ready study is put on the queue here, by `enqueue(tx, …)` with the record and its number
 * as the key: so it happens if and only if the study became ready.
 * @returns the records that became ready now, with how many images came to each
 */
export function sayReady(tx: Tx, records: readonly RecordKey[], reason: ReadyReason, at: Date): Promise<ReadyRecord[]> {
  return insertReady(tx, records, reason, at)
}
