import type { Tx } from '../../db/database.ts'
import { askToTellOfApproval, askToTellOfHarvest } from '../user/ask-to-tell.command.ts'
import { askFailedRulesAgain } from '../routing/ask-again.command.ts'
import { putReadyToRules, putSharedToRules } from '../routing/put-to-rules.command.ts'
import { askMetadata } from '../storage/ask-metadata.command.ts'
import { tellEvent } from '../telling/tell-event.command.ts'
import { insertReady, type ReadyReason, type ReadyRecord, type ReadyKey } from './study-ready.sql.ts'

/**
 * Says that these records are ready, in the transaction that makes them so: the one place for every way in of images
 * (POST, STOW, C-STORE, the upload of the screen, files made into images, separations and merges); `saySharedReady` is
 * for shares, `sayShownAgain` for records that were gone. Each is ready once for what arrived, however often somebody
 * says so, and again when later images have come.
 *
 * Work that follows from a ready study is put on the queue here, by `enqueue(tx, …)` with the record and its number
 * as the key: so it happens if and only if the study became ready.
 * @param separation uuid of the separation or merge by which images joined them; the rules look after the time for Undo
 * @returns the records that became ready now, with how many images came to each
 */
export async function sayReady(
  tx: Tx,
  records: readonly ReadyKey[],
  reason: ReadyReason,
  at: Date,
  separation?: string,
): Promise<ReadyRecord[]> {
  const ready = await insertReady(tx, records, reason, at)
  const hasArrived = reason === 'quiet' || reason === 'synced'
  if (hasArrived) {
    await askToTellOfHarvest(tx, ready, at)
    // records that wait are ready once they are approved
    await askToTellOfApproval(tx, records, at)
  }
  await putReadyToRules(tx, ready, separation)
  // what waits does not become ready
  const subjects = ready.map((one) => ({ ...one, must_approve: false }))
  // restored records are told of below, those without images of their own too
  if (reason !== 'restored') await tellEvent(tx, 'STUDY_SYNC', subjects)
  // an approval shows what was ready before, too
  const shown = reason === 'approved' ? records : ready
  await askMetadata(
    tx,
    shown.map((one) => one.uuid),
  )
  return ready
}

/**
 * Says that records are shown again which were gone: restored from the bin, or with a study that is taken back no longer.
 * Each is ready with all of its images, those that a share gave it included.
 */
export async function sayShownAgain(tx: Tx, records: readonly ShownRecord[], at: Date): Promise<void> {
  await sayReady(tx, records, 'restored', at)
  await tellEvent(tx, 'STUDY_SYNC', records)
  for (const record of records.filter((one) => one.is_shared))
    await saySharedReady(tx, [record], {
      occasion: `shown again ${at.toISOString()}`,
      awaitsApproval: record.must_approve,
    })
}

/**
 * Says that records are ready whose images a share gave, at once or when the sender had received all of them. The images
 * are ready in the place of the sender, where they were counted; here a record has none of its own, and no number of times.
 * @param occasion names what made them ready: the same occasion has the same follower once
 */
export async function saySharedReady(
  tx: Tx,
  records: readonly ReadyKey[],
  { occasion, chain = [], awaitsApproval = false, isBeside = false }: SharedReady,
): Promise<void> {
  const uuids = records.map((one) => one.uuid)
  if (awaitsApproval || isBeside) await askToTellOfApproval(tx, records, new Date())
  else await askMetadata(tx, uuids)
  // rules wait for the approval, too
  if (!isBeside) await putSharedToRules(tx, uuids, occasion, chain)
}

/**
 * Says that records which were ready show fewer images than before, or the same ones with other values: those that a
 * separation or a merge left, or that see a merge by a share, and all after the undoing of one, or a correction. Nothing
 * came to them, so that none becomes ready anew, and no follower of a ready study takes up again what it did; rules that
 * failed for the patient of the record as it was are asked again.
 */
export async function sayChanged(tx: Tx, uuids: readonly string[]): Promise<void> {
  await askMetadata(tx, uuids)
  await askFailedRulesAgain(tx, uuids)
}

/** A record that is shown again, and whether a share made it. */
type ShownRecord = ReadyKey & { account_uuid: string; must_approve: boolean; is_shared: boolean }

interface SharedReady {
  occasion: string
  /** Uuids of the rules by which the records came. */
  chain?: readonly string[] | undefined
  awaitsApproval?: boolean
  /** Whether the images wait beside others that are shown: of them nothing is ready before the approval. */
  isBeside?: boolean
}
