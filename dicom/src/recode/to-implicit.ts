import { walkDataSet } from '../data-set.ts'
import {
  type HeldBytes,
  type ElementHeader,
  type Encoding,
  findEndOfUndefinedLength,
  ITEM,
  ITEM_DELIMITER,
  readElementHeader,
  readTagAt,
  SEQUENCE_DELIMITER,
  sourceOf,
  UNDEFINED_LENGTH,
} from '../elements.ts'
import { DicomReadError } from '../read-error.ts'
import { isPixelDataTag } from '../read.ts'
import { StreamHead } from './stream-head.ts'

const explicitLittle: Encoding = { isExplicit: true, isLittleEndian: true }

/**
 * An explicit little endian data set with native pixels as Implicit VR Little Endian. Values stay as they are; sequences
 * get undefined lengths, since those of their items change. Pixels stream through.
 * @throws DicomReadError malformed, also for compressed pixels, which implicit VR cannot hold
 */
export async function* toImplicit(dataSet: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const head = new StreamHead(dataSet)
  try {
    const { bytes, pixels } = await head.read(recodeHead)
    yield bytes
    if (!pixels) return
    head.drop(pixels.valueStart)
    if (pixels.length === UNDEFINED_LENGTH) throw compressed()
    yield elementHeader(pixels.tag, pixels.length)
    yield* head.take(pixels.length)
    const rest = await head.rest()
    if (rest.length > 0) yield recodeElements(sourceOf(rest, explicitLittle), 0, rest.length)
  } finally {
    await head.close()
  }
}

function recodeHead(bytes: Buffer, size: number): { bytes: Buffer; pixels: ElementHeader | undefined } {
  const source = sourceOf(bytes, explicitLittle, bytes.length < size)
  let pixels: ElementHeader | undefined
  const stopBefore = (header: ElementHeader) => {
    if (isPixelDataTag(header.tag)) pixels = header
    return pixels !== undefined
  }
  const { end } = walkDataSet(source, explicitLittle, { start: 0, limit: size, stopBefore })
  return { bytes: recodeElements(source, 0, end), pixels }
}

function recodeElements(source: HeldBytes, start: number, end: number): Buffer {
  const parts: Uint8Array[] = []
  let offset = start
  while (offset + 8 <= end) {
    const header = readElementHeader(source, offset, end, true)
    const isUndefined = header.length === UNDEFINED_LENGTH
    const valueEnd = isUndefined
      ? findEndOfUndefinedLength(source, header, end, true)
      : header.valueStart + header.length
    if (valueEnd > end) throw new DicomReadError('truncated', 'The file ends inside an element')
    if (header.vr === 'SQ') {
      const itemsEnd = isUndefined ? valueEnd - 8 : valueEnd
      parts.push(elementHeader(header.tag, UNDEFINED_LENGTH), ...recodeItems(source, header.valueStart, itemsEnd))
      parts.push(elementHeader(SEQUENCE_DELIMITER, 0))
    } else {
      if (isUndefined && header.vr !== 'UN') throw compressed()
      // the value of an undefined-length UN is implicit already (PS3.5 §6.2.2), its delimiter included
      parts.push(elementHeader(header.tag, header.length), source.bytes.subarray(header.valueStart, valueEnd))
    }
    offset = valueEnd
  }
  return Buffer.concat(parts)
}

function recodeItems(source: HeldBytes, start: number, end: number): Uint8Array[] {
  const parts: Uint8Array[] = []
  let offset = start
  while (offset + 8 <= end) {
    if (readTagAt(source, offset) !== ITEM) break
    const length = source.view.getUint32(offset + 4, true)
    const contentStart = offset + 8
    const contentEnd = length === UNDEFINED_LENGTH ? endOfItem(source, contentStart, end) : contentStart + length
    if (contentEnd > end) throw new DicomReadError('truncated', 'The file ends inside an element')
    parts.push(elementHeader(ITEM, UNDEFINED_LENGTH), recodeElements(source, contentStart, contentEnd))
    parts.push(elementHeader(ITEM_DELIMITER, 0))
    offset = length === UNDEFINED_LENGTH ? contentEnd + 8 : contentEnd
  }
  return parts
}

function endOfItem(source: HeldBytes, start: number, limit: number): number {
  return walkDataSet(source, explicitLittle, { start, limit }).end
}

function elementHeader(tag: number, length: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(tag >>> 16, 0)
  bytes.writeUInt16LE(tag & 0xffff, 2)
  bytes.writeUInt32LE(length, 4)
  return bytes
}

function compressed(): DicomReadError {
  return new DicomReadError('malformed', 'The pixels are compressed, which Implicit VR cannot hold')
}
