import { anonymizeFile } from '@hilum/dicom/anonymize'
import { type Correction, correctFile } from '@hilum/dicom/node/correct-file'
import { deflate, inflate } from '@hilum/dicom/node/inflate'
import { readHeader } from '@hilum/dicom/read'
import { DicomReadError, type ReadErrorCode } from '@hilum/dicom/read-error'
import type { AttributeChanges } from './anonymize-attributes.ts'

/** How a file changes on its way out. */
export type Rewriting =
  | { kind: 'correct'; correction: Correction }
  | { kind: 'anonymize'; changes: AttributeChanges; correction: Pick<Correction, 'edits' | 'withholdsFormer'> }

export interface DeflatedFile {
  bytes: Uint8Array
  rewriting: Rewriting
}

export interface RewrittenFile {
  kind: 'rewritten'
  bytes: Uint8Array
  /** False where no correction holds in the file. */
  isChanged: boolean
}
/** The answer of a thread: errors do not keep their class on the way. */
export type RewriteAnswer = RewrittenFile | { kind: 'refused'; code: ReadErrorCode; message: string }

/**
 * Writes a whole deflated file anew, in the thread of the caller.
 * @param mostInflated bytes that the data set may grow to
 * @throws DicomReadError `too-large-inflated` where it grows beyond them
 */
export function rewriteDeflated({ bytes, rewriting }: DeflatedFile, mostInflated?: number): RewrittenFile {
  const inflating = (input: Uint8Array) => inflate(input, mostInflated)
  const read = readHeader(bytes, { untilPixelData: true, inflate: inflating })
  if (read.kind === 'need-more') throw new DicomReadError('truncated', 'The file ends inside its header')
  try {
    if (rewriting.kind === 'correct') {
      const { prefix, isChanged } = correctFile(bytes, read.header, rewriting.correction, { inflating })
      return { kind: 'rewritten', bytes: prefix, isChanged }
    }
    const { changes, correction } = rewriting
    const options = { changes, ...correction }
    const { prefix } = anonymizeFile(bytes, read.header, options, { inflate: inflating, deflate })
    return { kind: 'rewritten', bytes: prefix, isChanged: true }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new DicomReadError('malformed', error.message, { cause: error })
  }
}
