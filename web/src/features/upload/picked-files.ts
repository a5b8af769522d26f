/** A file that the person chose, with its path inside what was chosen (`CD/IMAGES/IM0001`). */
export interface PickedFile {
  path: string
  file: File
}

/** Why a file takes no part in an upload. Every file that was chosen is either an instance or has one of these. */
export type SkipReason =
  | { kind: 'empty' }
  | { kind: 'not-dicom' }
  | { kind: 'dicomdir' }
  | { kind: 'missing-uid'; names: string[] }
  | { kind: 'damaged' }
  | { kind: 'unreadable' }
  | { kind: 'duplicate'; of: string }

export interface SkippedFile {
  path: string
  sizeBytes: number
  reason: SkipReason
}

/** The specification's code for each reason (ERROR-17). A directory record and a second copy are no errors. */
export const skipCodes: Record<SkipReason['kind'], string | undefined> = {
  empty: 'FILE_CONTENT_EMPTY',
  'not-dicom': 'DICOM_INFO_NOT_FOUND',
  dicomdir: undefined,
  'missing-uid': 'TAG_NOT_FOUND',
  damaged: 'DICOM_INFO_NOT_FOUND',
  unreadable: 'FILE_UPLOAD_FAILED',
  duplicate: undefined,
}
