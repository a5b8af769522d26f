import { StorageError } from '@hilum/contract/storage-errors'
import type { Correction } from '@hilum/dicom/node/correct-file'
import type { TagChanges } from './anonymize-tags.ts'
import type { Change } from './anonymized-instance.ts'
import type { LeavingRecord } from './leaving-record.sql.ts'
import { correctionOf } from './record-edits.ts'

/**
 * The correction of files by the record through which they leave.
 * @throws StorageError CONFLICT while the files name several patients: it would make them one
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
 * The change to the files of a download: the record's corrections, unless files are wanted as received, and in any case
 * the caller's replacements.
 * @throws StorageError CONFLICT
 */
export function changeToMake(
  leaving: LeavingRecord,
  { isAsReceived, anonymize }: { isAsReceived?: boolean; anonymize?: TagChanges },
): Change | undefined {
  const correction = isAsReceived ? undefined : correctionToApply(leaving)
  return anonymize ? { edits: [], modifiedAt: '', ...correction, anonymize } : correction
}
