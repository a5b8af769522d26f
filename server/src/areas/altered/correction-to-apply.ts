import { StorageError } from '@hilum/contract/storage-errors'
import type { Correction } from '@hilum/dicom/node/correct-file'
import type { AttributeChanges } from './anonymize-attributes.ts'
import type { Change } from './anonymized-instance.ts'
import type { OutgoingRecord } from './outgoing-record.sql.ts'
import { correctionOf } from './record-edits.ts'

/**
 * The correction of files by the record through which they leave.
 * @throws StorageError CONFLICT while the files name several patients: it would make them one
 */
export function correctionToApply(outgoing: OutgoingRecord): Correction | undefined {
  const correction = correctionOf({ ...outgoing, mixed_patients: false })
  if (correction && outgoing.mixed_patients) {
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
  outgoing: OutgoingRecord,
  { isAsReceived, anonymize }: { isAsReceived?: boolean; anonymize?: AttributeChanges },
): Change | undefined {
  const correction = isAsReceived ? undefined : correctionToApply(outgoing)
  return anonymize ? { edits: [], modifiedAt: '', ...correction, anonymize } : correction
}
