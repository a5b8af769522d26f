import { StorageError } from '@hilum/contract/storage-errors'
import type { Correction } from '@hilum/dicom/node/correct-file'
import type { AttributeChanges } from './anonymize-attributes.ts'
import type { Change } from './anonymized-instance.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { OutgoingRecord } from './outgoing-record.sql.ts'
import { correctionForm, correctionOf } from './record-edits.ts'

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
 * The correction of images for whoever sees a record: to somebody who opened a link they tell of no former patient, in
 * the Original Attributes Sequence of images that nobody corrected here either.
 */
export function correctionFor(
  { withholds_former }: Pick<StudyRecord, 'withholds_former'>,
  correction: Correction | undefined,
): Correction | undefined {
  return withholds_former ? { edits: [], modifiedAt: '', ...correction, withholdsFormer: true } : correction
}

/** Names the way in which images leave through a record as it stands, in the tags of cached answers. */
export function stateOfCorrection({ withholds_former, phi_version }: StateOfRecord): string {
  return `${correctionForm}${withholds_former ? 'w' : ''}-${phi_version}`
}

type StateOfRecord = Pick<StudyRecord, 'withholds_former' | 'phi_version'>

export const noLinkAsReceived = 'A link gives images as they were corrected, and not as they came'

/**
 * The change to the files of a download: the record's corrections, unless files are wanted as received, and in any case
 * the caller's replacements.
 * @throws StorageError CONFLICT
 */
export function changeToMake(
  outgoing: OutgoingRecord,
  record: Pick<StudyRecord, 'withholds_former'>,
  { isAsReceived, anonymize }: { isAsReceived?: boolean; anonymize?: AttributeChanges },
): Change | undefined {
  const correction = correctionFor(record, isAsReceived ? undefined : correctionToApply(outgoing))
  return anonymize ? { edits: [], modifiedAt: '', ...correction, anonymize } : correction
}
