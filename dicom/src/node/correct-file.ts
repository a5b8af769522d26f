import { findEntry, findVr } from '../dictionary.ts'
import type { DicomHeader, Inflate } from '../read.ts'
import { DicomReadError } from '../read-error.ts'
import type { NewUids } from '../renamed-references.ts'
import { type ElementEdit, type SplicedFile, spliceFile } from '../splice.ts'
import { tagToHex } from '../tags.ts'
import { describeValueFault, findValueFault } from '../value-rules.ts'
import { deflate, inflate } from './inflate.ts'

/** Corrections made by users. */
export type Correction = {
  edits: readonly ElementEdit[]
  /** When the newest of them was made, as DT. */
  modifiedAt: string
  /** New UIDs that references inside sequences get, of images that go to another study. */
  renamed?: NewUids
  /** Leaves out whatever may tell of a former patient, in images without corrections too. */
  withholdsFormer?: boolean
}

/** A file in which the corrections that hold cannot be made: it leaves under no identity. The message says why in words. */
export class CannotCorrectError extends DicomReadError {
  constructor(reason: string, options?: { cause?: unknown }) {
    super('malformed', `The corrections of the record cannot be made in the image: ${reason}`, options)
    this.name = 'CannotCorrectError'
  }
}

/**
 * A file with the corrections that hold in it, signed as ours.
 * @param behind the bytes behind the pixel data, where what may tell of a former patient is left out
 * @throws CannotCorrectError, or as `inflating` does
 */
export function correctFile(
  bytes: Uint8Array,
  header: DicomHeader,
  { edits, modifiedAt, renamed, withholdsFormer = false }: Correction,
  { inflating = inflate, behind }: { inflating?: Inflate; behind?: Uint8Array | undefined } = {},
): SplicedFile {
  try {
    const spliced = spliceFile(bytes, header, edits, {
      ...correctionSignature,
      modifiedAt,
      inflate: inflating,
      deflate,
      withholdsFormer,
      ...(renamed ? { renamed } : {}),
      ...(behind ? { behind } : {}),
    })
    for (const edit of spliced.applied) demandWritable(edit)
    return spliced
  } catch (error) {
    if (error instanceof CannotCorrectError || !(error instanceof DicomReadError || error instanceof RangeError))
      throw error
    throw new CannotCorrectError(error.message, { cause: error })
  }
}

/** How the Original Attributes Sequence names a correction of ours. */
export const correctionSignature = { modifyingSystem: 'Hilum', reason: 'CORRECT' } as const

/**
 * Records may hold values that came by another way, or before they were checked. A character that could not be read is
 * refused where a correction is written: exams that got one before would be shown to nobody.
 */
function demandWritable(edit: ElementEdit): void {
  const fault = findValueFault(edit.new, findVr(edit.tag), edit.isMultiple)
  if (!fault || fault.kind === 'unread-character') return
  const name = findEntry(edit.tag)?.keyword ?? tagToHex(edit.tag)
  throw new CannotCorrectError(`${name}: ${describeValueFault(fault)}`)
}
