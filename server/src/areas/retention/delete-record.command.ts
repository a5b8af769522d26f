import type { Caller } from '../../access/caller.ts'
import { findRecordByUuid, type StudyRecord } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import { writeEvent } from '../event/event.sql.ts'
import { findHoldOn } from '../storage/hold.sql.ts'
import { endGeneration } from '../ingest/generation.sql.ts'
import { lockNominationToDelete, rejectDeleted } from '../nomination/deleted-nomination.command.ts'
import { lockNominated } from '../nomination/nomination.sql.ts'
import { lockStoredStudies } from '../storage/ingest.sql.ts'
import { listSources } from '../storage/record-images.sql.ts'
import { tellEvent } from '../telling/tell-event.command.ts'
import { markDeleted } from './deleted-mark.sql.ts'
import { deleteRecordForGood } from './purge.sql.ts'

/**
 * Hides a study record, which can be restored until it is purged, and ends its generation: what is sent afterwards
 * becomes a new record. The stored study is locked first, as by arriving images, which so come before or after.
 * A nomination by which a gatekeeper group got it is rejected where it waits.
 * @param deletedBy the person in whose name; without a caller the server itself deletes
 * @param address of the web app, where the mail about that rejection leads; without it there is none
 * @returns why not, when something keeps it or it is gone already; the caller rolls back then
 */
export async function deleteRecord(
  tx: Tx,
  caller: Caller | undefined,
  record: StudyRecord,
  deletedBy: string,
  address?: string,
): Promise<'deleted' | 'gone' | 'hold' | 'frozen'> {
  const { phi_namespace, study_uid, account_uuid } = record
  const nomination = await lockNominationToDelete(tx, record)
  const [own] = await lockStoredStudies(tx, [{ storage_namespace: phi_namespace, study_uid, account_uuid }])
  // of any record of the same images: a freeze reaches all shared copies
  const hold = await findHoldOn(tx, await listSources(tx, record))
  if (hold) return hold
  if (nomination) await lockNominated(tx, [nomination])
  const outcome = await markDeleted(tx, record, deletedBy)
  if (outcome !== 'deleted') return outcome === 'held' ? 'hold' : 'gone'
  if (own) await endGeneration(tx, own)
  await writeStudyAudit(tx, caller, record, 'DELETE', { study_uid })
  await rejectDeleted(tx, caller, record, nomination, address)
  await tellEvent(tx, 'STUDY_DELETE', [record])
  await writeEvent(tx, 'study', phi_namespace, record.uuid)
  return 'deleted'
}

/** Removes a record for good, and tells who listens that it is gone, unless it was deleted before. */
export async function removeRecord(tx: Tx, key: Pick<StudyRecord, 'phi_namespace' | 'uuid'>): Promise<void> {
  const record = await findRecordByUuid(tx, key.uuid)
  await deleteRecordForGood(tx, key)
  if (record && !record.deleted) await tellEvent(tx, 'STUDY_DELETE', [record])
}
