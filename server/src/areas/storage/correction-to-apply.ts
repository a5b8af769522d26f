import { StorageError } from '@hilum/contract/storage-errors'
import type { Correction } from '@hilum/dicom/node/correct-file'
import type { TagChanges } from './anonymize-tags.ts'
import type { Change } from './anonymized-instance.ts'
import type { LeavingRecord } from './leaving-record.sql.ts'
import { correctionOf } from './record-edits.ts'

/**
 * What the record through which files leave changes in them.
 * @throws StorageError CONFLICT while they name several patients: it would make them one
 */
export function correctionToApply(leaving: LeavingRecord): Correction | undefined {
  const correction = correctionOf({ ...leaving, mixed_patients: false })
  if (correction && leaving.mixed_patients) {
    throw new StorageError(
      'CONFLICT',
      'The images name more than one patient, so corrections cannot be applied to all of them',
    )
  }
  return correction
}

/**
 * What a download changes in its files: the record's corrections, unless they are wanted as received, and what the caller
 * wants replaced in any case.
 * @throws StorageError CONFLICT
 */
export function changeToMake(
  leaving: LeavingRecord,
  { isAsReceived, anonymize }: { isAsReceived?: boolean; anonymize?: TagChanges },
): Change | undefined {
  const correction = isAsReceived ? undefined : correctionToApply(leaving)
  return anonymize ? { edits: [], modifiedAt: '', ...correction, anonymize } : correction
}
