import { indexInstance } from '@hilum/dicom/instance-index'
import { FIRST_READ_AT_BROWSER_BYTES, FIRST_READ_BYTES, READ_GROWTH_FACTOR } from '@hilum/dicom/limits'
import { readHeader } from '@hilum/dicom/read'
import { DicomReadError } from '@hilum/dicom/read-error'
import { transferSyntaxOf } from '@hilum/dicom/transfer-syntaxes'
import { inflateDataSet } from './inflate.ts'
import { type InstanceHeader, toInstanceHeader } from './instance-header.ts'
import type { SkipReason } from './picked-files.ts'
import { isZip } from './zip-directory.ts'

export type ReadOutcome = { kind: 'instance'; header: InstanceHeader } | { kind: 'skipped'; reason: SkipReason }

/** The part of a File that reading needs. */
export interface FileBytes {
  size: number
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> }
}

/**
 * Reads only as much of a file as its header needs and says what it is. A bad file gets a reason, never an error.
 * @param head the first bytes, where they were read already
 */
export async function readInstance(file: FileBytes, head?: Uint8Array): Promise<ReadOutcome> {
  for (let wanted = Math.min(FIRST_READ_AT_BROWSER_BYTES, file.size); ; ) {
    const bytes = head?.length === wanted ? head : await readHead(file, wanted)
    if (!bytes) return { kind: 'skipped', reason: { kind: 'unreadable' } }
    const result = judge(bytes, file.size)
    if (typeof result === 'object') return result
    wanted = Math.min(file.size, Math.max(result + FIRST_READ_AT_BROWSER_BYTES, wanted * READ_GROWTH_FACTOR))
  }
}

/** The outcome of a file, or the number of bytes needed for it. */
function judge(bytes: Uint8Array, size: number): ReadOutcome | number {
  try {
    const read = readHeader(bytes, { size, inflate: inflateDataSet })
    if (read.kind === 'header') {
      const { transferSyntax } = read.header
      // the first fragments of compressed pixels are looked at as well: one that ends early is found there
      const isEnough =
        bytes.length >= Math.min(size, FIRST_READ_BYTES) || !transferSyntaxOf(transferSyntax).isEncapsulated
      return isEnough ? { kind: 'instance', header: toInstanceHeader(indexInstance(read.header)) } : FIRST_READ_BYTES
    }
    return bytes.length < size ? read.atLeastBytes : { kind: 'skipped', reason: { kind: 'truncated' } }
  } catch (error) {
    const kind = error instanceof DicomReadError ? error.code : 'malformed'
    return { kind: 'skipped', reason: { kind: kind === 'not-dicom' && isZip(bytes) ? 'zip' : kind } }
  }
}

/** Undefined when the disc or the file's owner refuses, or the file was taken away since it was chosen. */
async function readHead(file: FileBytes, wanted: number): Promise<Uint8Array | undefined> {
  try {
    const bytes = new Uint8Array(await file.slice(0, wanted).arrayBuffer())
    return bytes.length === wanted ? bytes : undefined
  } catch {
    return undefined
  }
}
