import type { Tx } from '../../db/database.ts'
import { declaredJobs } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import { listHarvestedPlaces } from '../user/event-choice.sql.ts'
import { putReadyToRules } from '../routing/put-to-rules.command.ts'
import { askMetadata } from '../storage/ask-metadata.command.ts'
import { insertReady, type ReadyReason, type ReadyRecord, type ReadyKey } from './study-ready.sql.ts'

/** One mail names all studies that are harvested into one namespace within this time. */
const TELL_AFTER_MS = 5 * 60_000

/**
 * Says that these records are ready, in the transaction that makes them so: the one place for every way in (POST, STOW,
 * C-STORE, the upload of the screen, files made into images, restoring). Each is ready once for what arrived, however
 * often somebody says so, and again when later images have come.
 *
 * Work that follows from a ready study is put on the queue here, by `enqueue(tx, …)` with the record and its number
 * as the key: so it happens if and only if the study became ready.
 * @returns the records that became ready now, with how many images came to each
 */
export async function sayReady(
  tx: Tx,
  records: readonly ReadyKey[],
  reason: ReadyReason,
  at: Date,
): Promise<ReadyRecord[]> {
  const ready = await insertReady(tx, records, reason, at)
  const hasArrived = reason === 'quiet' || reason === 'synced'
  for (const namespaceUuid of hasArrived ? await listHarvestedPlaces(tx, ready) : []) {
    const runAt = new Date(at.getTime() + TELL_AFTER_MS)
    const group = `harvest:${namespaceUuid}`
    await enqueue(tx, declaredJobs.tellOfHarvest, { namespaceUuid }, { key: namespaceUuid, group, runAt })
  }
  await putReadyToRules(tx, ready)
  await askMetadata(
    tx,
    ready.map((one) => one.uuid),
  )
  return ready
}
