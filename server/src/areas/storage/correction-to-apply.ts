import { StorageError } from '@hilum/contract/storage-errors'
import type { LeavingRecord } from './leaving-record.sql.ts'
import { type Correction, correctionOf } from './record-edits.ts'

/**
 * What the record through which files leave changes in them.
 * @throws StorageError CONFLICT while they name several patients: it would make them one
 */
export function correctionToApply(leaving: LeavingRecord): Correction | undefined {
  const correction = correctionOf(leaving.edits)
  if (correction && leaving.mixed_patients) {
    throw new StorageError(
      'CONFLICT',
      'The images name more than one patient, so corrections cannot be applied to all of them',
    )
  }
  return correction
}
