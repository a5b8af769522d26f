import type { Caller } from '../../access/caller.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import { lockSharing } from '../storage/lock-sharing.sql.ts'
import { isNominated, lockNominationAt, markWaitingAgain, type NominationRow } from './nomination.sql.ts'
import { putRejection } from './put-rejection.command.ts'
import { tellNomination } from './tell-nomination.command.ts'

/**
 * Locks the nomination by which a gatekeeper group got a record that is to be deleted, before stored studies and
 * records; undefined where there is none.
 */
export async function lockNominationToDelete(
  tx: Tx,
  record: Pick<StudyRecord, 'uuid' | 'study_uid'>,
): Promise<NominationRow | undefined> {
  if (!(await isNominated(tx, record.uuid))) return undefined
  await lockSharing(tx, record.study_uid)
  return lockNominationAt(tx, record.uuid)
}

const deletedWords = 'Deleted by the gatekeeper group'

/**
 * Rejects a nomination that waits where the gatekeeper group deletes its record: its sender would wait for a decision
 * that nobody can make. The caller holds both records (`lockNominated`).
 */
export async function rejectDeleted(
  tx: Tx,
  caller: Caller | undefined,
  record: StudyRecord,
  nomination: NominationRow | undefined,
  address: string | undefined,
): Promise<void> {
  if (nomination?.state !== 'nominated') return
  const why = { reason: deletedWords, code: '', message: '', isByDeletion: true } as const
  await putRejection(tx, caller, record, nomination, why, address)
}

/** Has a nomination wait again whose record is restored, where deleting the record rejected it. */
export async function reopenRestored(tx: Tx, nomination: NominationRow | undefined): Promise<void> {
  if (nomination && (await markWaitingAgain(tx, nomination.uuid))) await tellNomination(tx, nomination.uuid)
}
