import { FIRST_READ_BYTES, READ_GROWTH_FACTOR } from '@hilum/dicom/limits'
import { inflate } from '@hilum/dicom/node/inflate'
import { type DicomHeader, readHeader } from '@hilum/dicom/read'
import { DicomReadError } from '@hilum/dicom/read-error'
import { transferSyntaxOf } from '@hilum/dicom/transfer-syntaxes'
import type { LeavingInstance } from '../storage/corrected-instance.ts'
import type { StoredInstance } from '../storage/instance.sql.ts'
import { lengthOfPart, streamParts } from '../storage/parts.ts'

/** Enough to see that the pixel data element begins. */
const pixelHeaderBytes = 64
/** Attributes in front of the pixel data, taken into memory. Beyond this only the first ones are looked at. */
const maxHeaderBytes = 64 * 1024 * 1024

export interface LeavingHeader {
  /** The file up to somewhere behind the header. */
  bytes: Uint8Array
  header: DicomHeader
}

/**
 * What an instance says of itself as it leaves, corrections applied, read from as much of its beginning as it takes.
 * @throws DicomReadError when it is damaged
 */
export async function readLeavingHeader(
  instance: StoredInstance,
  leaving: Pick<LeavingInstance, 'parts' | 'length' | 'isCorrected'>,
): Promise<LeavingHeader> {
  const { length, parts } = leaving
  // the index knows where the pixels begin: of a thousand slices only the headers are read
  const [first] = parts
  let wanted = leaving.isCorrected && first ? lengthOfPart(first) + pixelHeaderBytes : firstGuess(instance)
  for (;;) {
    const untilPixelData = wanted <= maxHeaderBytes
    const size = Math.min(length, untilPixelData ? wanted : maxHeaderBytes)
    const bytes = await collect(streamParts(parts, 0, size))
    const read = readHeader(bytes, { inflate, size: length, untilPixelData })
    if (read.kind === 'header') return { bytes, header: read.header }
    if (size >= length || !untilPixelData) throw new DicomReadError('truncated', 'The file ends inside its header')
    wanted = Math.max(wanted * READ_GROWTH_FACTOR, read.atLeastBytes)
  }
}

function firstGuess({ pixel_offset, transfer_syntax, length }: StoredInstance): number {
  if (pixel_offset !== null) return pixel_offset + pixelHeaderBytes
  return transferSyntaxOf(transfer_syntax).isDeflated ? Math.min(length, maxHeaderBytes) : FIRST_READ_BYTES
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const held: Uint8Array[] = []
  for await (const chunk of chunks) held.push(chunk)
  return held.length === 1 ? (held[0] as Uint8Array) : Buffer.concat(held)
}
