import type { ReadErrorCode } from '@hilum/dicom/read-error'

/** A file that the person chose, with its path inside what was chosen (`CD/IMAGES/IM0001`). */
export interface PickedFile {
  path: string
  file: File
}

/** A ZIP that is no file of its own, and why files of it cannot be taken out. */
export type ZipReason = 'zip' | 'zip-damaged' | 'zip-encrypted' | 'zip-method' | 'zip-name' | 'zip-too-large'

/**
 * Why a file takes no part in an upload. Every file that was chosen is either an instance or has one of these:
 * what the DICOM reader found, a file that cannot be opened, a DICOM file among others that are none, a file that is neither picture nor PDF where these alone are taken, one that the directory of a disc names and that is not there, or a second copy of
 * the file at `of`.
 */
export type SkipReason =
  | { kind: ReadErrorCode | ZipReason | 'unreadable' | 'is-dicom' | 'not-on-disc' | 'no-picture' }
  | { kind: 'duplicate'; of: string }

export interface SkippedFile {
  path: string
  sizeBytes: number
  reason: SkipReason
}

/** The specification's code for a reason (ERROR-17). A directory record and a second copy are no errors. */
export function skipCode(reason: SkipReason): string | undefined {
  switch (reason.kind) {
    case 'directory':
    case 'duplicate':
    case 'is-dicom':
    case 'no-picture':
      return undefined
    case 'empty':
      return 'FILE_CONTENT_EMPTY'
    case 'missing-uid':
    case 'unusable-uid':
      return 'TAG_NOT_FOUND'
    case 'unreadable':
    case 'not-on-disc':
    case 'zip-damaged':
    case 'zip-encrypted':
    case 'zip-method':
    case 'zip-name':
    case 'zip-too-large':
      return 'FILE_UPLOAD_FAILED'
    default:
      return 'DICOM_INFO_NOT_FOUND'
  }
}
