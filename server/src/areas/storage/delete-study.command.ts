import { StorageError } from '@hilum/contract/storage-errors'
import type { Caller } from '../../access/caller.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Services } from '../../services.ts'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import { writeEvent } from '../event/event.sql.ts'
import { markDeleted } from '../study/study-acts.sql.ts'
import { assertNotKept } from './delete-images.command.ts'

/**
 * Hides a study record; it can be restored until it is purged.
 * @throws StorageError CONFLICT (held or frozen), STUDY_NOT_FOUND
 */
export async function deleteStudy(
  services: Services,
  caller: Caller,
  record: Pick<StudyRecord, 'uuid' | 'phi_namespace' | 'storage_namespace' | 'study_uid' | 'account_uuid'>,
): Promise<void> {
  await services.db.transaction().execute(async (tx) => {
    await assertNotKept(tx, record)
    const outcome = await markDeleted(tx, record, caller.userUuid)
    if (outcome === 'held') throw new StorageError('CONFLICT', 'A legal hold keeps this study', { reason: 'hold' })
    if (outcome === 'gone') throw new StorageError('STUDY_NOT_FOUND', undefined, { study_uid: record.study_uid })
    await writeStudyAudit(tx, caller, record, 'DELETE', { study_uid: record.study_uid })
    await writeEvent(tx, 'study', record.phi_namespace, record.uuid)
  })
  services.events.ring()
}
