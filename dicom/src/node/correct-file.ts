import type { DicomHeader } from '../read.ts'
import { DicomReadError } from '../read-error.ts'
import { CharsetNeededError, type ElementEdit, type SplicedFile, spliceFile } from '../splice.ts'
import { deflate, inflate } from './inflate.ts'

/** What people corrected. */
export type Correction = {
  edits: readonly ElementEdit[]
  /** When the newest of them was made, as DT. */
  modifiedAt: string
}

/**
 * A file with corrections where it still holds the old values, signed as ours.
 * @throws CharsetNeededError
 */
export function correctFile(bytes: Uint8Array, header: DicomHeader, { edits, modifiedAt }: Correction): SplicedFile {
  return spliceFile(bytes, header, edits, { modifyingSystem: 'Hilum', modifiedAt, reason: 'CORRECT', inflate, deflate })
}

/** Whether a file stands against being corrected itself, and leaves as it came. */
export function cannotBeCorrected(error: unknown): error is Error {
  return error instanceof CharsetNeededError || (error instanceof DicomReadError && error.code === 'too-large')
}
