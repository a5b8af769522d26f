import { FIRST_READ_BYTES, MAX_INFLATED_BYTES, MAX_MODELLED_BYTES, READ_GROWTH_FACTOR } from '../limits.ts'
import { type DicomHeader, readHeader } from '../read.ts'
import { DicomReadError } from '../read-error.ts'
import { transferSyntaxOf } from '../transfer-syntaxes.ts'
import { inflate } from './inflate.ts'

/** A stored file and what the index knows of it. */
export type FileFacts = { length: number; transferSyntax: string; pixelOffset: number | null }

/** The first bytes of a file: fewer than asked only at its end. */
type ReadFirst = (bytes: number) => Promise<Uint8Array>

export type FileBeginning = { bytes: Uint8Array; header: DicomHeader }

/** A few bytes of the pixel data's own header tell the reader where to stop. */
const PIXEL_HEADER_BYTES = 16
/** Bytes of one file that are read into memory; a document may stand in it before anything that tells where it ends. */
const MAX_START_BYTES = MAX_INFLATED_BYTES

/**
 * The file up to its pixel data, read and understood; all of a deflated one.
 * @throws DicomReadError when it is damaged, or too large for that
 */
export async function readUpToPixels(read: ReadFirst, facts: FileFacts): Promise<FileBeginning> {
  const { length, pixelOffset } = facts
  let wanted = pixelOffset === null ? FIRST_READ_BYTES : pixelOffset + PIXEL_HEADER_BYTES
  if (transferSyntaxOf(facts.transferSyntax).isDeflated) wanted = length
  for (;;) {
    if (Math.min(wanted, length) > MAX_START_BYTES) {
      throw new DicomReadError('too-large', `More than ${MAX_START_BYTES} bytes stand in front of the pixels`)
    }
    const bytes = await read(Math.min(wanted, length))
    const found = readHeader(bytes, { size: length, untilPixelData: true, inflate })
    if (found.kind === 'header') return { bytes, header: found.header }
    wanted = Math.max(found.atLeastBytes, Math.min(wanted * READ_GROWTH_FACTOR, MAX_START_BYTES))
  }
}

/** Bytes with which `readModelled` starts: the index knows where the pixels begin, so of a thousand slices only headers are read. */
export function firstBytesOf({ length, transferSyntax, pixelOffset }: FileFacts): number {
  if (pixelOffset !== null) return pixelOffset + PIXEL_HEADER_BYTES
  return transferSyntaxOf(transferSyntax).isDeflated ? Math.min(length, MAX_MODELLED_BYTES) : FIRST_READ_BYTES
}

/**
 * As much of a file's beginning as it takes to say what it holds. Where more stands in front of the pixels than a JSON
 * model is made of, only the first attributes are looked at.
 * @throws DicomReadError when it is damaged
 */
export async function readModelled(read: ReadFirst, length: number, firstBytes: number): Promise<FileBeginning> {
  let wanted = firstBytes
  for (;;) {
    const untilPixelData = wanted <= MAX_MODELLED_BYTES
    const size = Math.min(length, untilPixelData ? wanted : MAX_MODELLED_BYTES)
    const bytes = await read(size)
    const found = readHeader(bytes, { inflate, size: length, untilPixelData })
    if (found.kind === 'header') return { bytes, header: found.header }
    if (size >= length || !untilPixelData) throw new DicomReadError('truncated', 'The file ends inside its header')
    wanted = Math.max(wanted * READ_GROWTH_FACTOR, found.atLeastBytes)
  }
}
