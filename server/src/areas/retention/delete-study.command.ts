import { StorageError } from '@hilum/contract/storage-errors'
import type { Caller } from '../../access/caller.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Services } from '../../services.ts'
import { deleteRecord } from './delete-record.command.ts'
import { errorOfHold } from '../storage/error-of-hold.ts'

/**
 * Hides a study record; it can be restored until it is purged.
 * @param address of the web app, where a mail about it leads
 * @throws StorageError CONFLICT (held or frozen), STUDY_NOT_FOUND
 */
export async function deleteStudy(
  services: Services,
  caller: Caller,
  record: StudyRecord,
  address: string,
): Promise<void> {
  await services.db.transaction().execute(async (tx) => {
    const outcome = await deleteRecord(tx, caller, record, caller.userUuid, address)
    if (outcome === 'gone') throw new StorageError('STUDY_NOT_FOUND', undefined, { study_uid: record.study_uid })
    if (outcome !== 'deleted') throw errorOfHold(outcome)
  })
  services.events.ring()
}
