import { MAX_NESTED_HEADERS, MAX_OPENED_INSIDE, MAX_SEQUENCE_DEPTH } from './limits.ts'
import { DicomReadError, NeedMoreBytes } from './read-error.ts'

/** Where one element lies in the bytes of its data set; nothing is copied or decoded. */
export type DicomElement = {
  tag: number
  /** As written in the file; undefined in implicit VR. */
  vr: string | undefined
  /** Offset of the tag. */
  start: number
  valueStart: number
  /** Bytes of the value, without the delimiter that closes an undefined length. */
  length: number
  /** Offset behind the element, its delimiter included. */
  end: number
  hasUndefinedLength: boolean
}

/** How the bytes of a data set or item are written. */
export type Encoding = { isExplicit: boolean; isLittleEndian: boolean }

/** Bytes with their numbers in the right order, and where they stop. */
export type HeldBytes = {
  bytes: Uint8Array
  view: DataView
  encoding: Encoding
  /** True when `bytes` is only the beginning of what there is. */
  isPrefix: boolean
  /** How much may still be walked and opened inside of sequences: small files can hold millions of empty items. */
  left: { nestedHeaders: number; opened: number }
}

export const ITEM = 0xfffee000
export const ITEM_DELIMITER = 0xfffee00d
export const SEQUENCE_DELIMITER = 0xfffee0dd
export const UNDEFINED_LENGTH = 0xffffffff

const shortLengthVrs = new Set('AE AS AT CS DA DS DT FD FL IS LO LT PN SH SL SS ST TM UI UL US'.split(' '))

const longLengthVrs = new Set('OB OD OF OL OV OW SQ SV UC UN UR UT UV'.split(' '))

/** Whether this is a VR of the standard. */
export function isKnownVr(vr: string): boolean {
  return shortLengthVrs.has(vr) || longLengthVrs.has(vr)
}

/** Whether this VR writes its length in two bytes (PS3.5 §7.1.2); new VRs always use four. */
export function hasShortLength(vr: string): boolean {
  return shortLengthVrs.has(vr)
}

export function sourceOf(bytes: Uint8Array, encoding: Encoding, isPrefix = false): HeldBytes {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return { bytes, view, encoding, isPrefix, left: { nestedHeaders: MAX_NESTED_HEADERS, opened: MAX_OPENED_INSIDE } }
}

export function readTagAt(source: HeldBytes, offset: number): number {
  const little = source.encoding.isLittleEndian
  return ((source.view.getUint16(offset, little) << 16) | source.view.getUint16(offset + 2, little)) >>> 0
}

/** An element header: its value may reach beyond the bytes at hand, and `end` is not yet known for undefined lengths. */
export type ElementHeader = { tag: number; vr: string | undefined; valueStart: number; length: number }

/**
 * Reads the header at `offset`.
 * @param limit offset that the header may not pass
 * @throws NeedMoreBytes | DicomReadError truncated
 */
export function readElementHeader(
  source: HeldBytes,
  offset: number,
  limit: number,
  isExplicit: boolean,
): ElementHeader {
  ensure(source, offset + 8, limit)
  const { view } = source
  const little = source.encoding.isLittleEndian
  const tag = readTagAt(source, offset)
  const isDelimiter = tag >>> 16 === 0xfffe
  if (!isExplicit || isDelimiter) {
    return { tag, vr: undefined, valueStart: offset + 8, length: view.getUint32(offset + 4, little) }
  }
  const first = view.getUint8(offset + 4)
  const second = view.getUint8(offset + 5)
  if (!isCapital(first) || !isCapital(second)) {
    if (hasBlankVr(source, offset, limit))
      return { tag, vr: undefined, valueStart: offset + 8, length: view.getUint16(offset + 6, little) }
    // Some writers slip implicit elements into explicit data sets: there is no VR where one belongs.
    return { tag, vr: undefined, valueStart: offset + 8, length: view.getUint32(offset + 4, little) }
  }
  const vr = String.fromCharCode(first, second)
  if (hasShortLength(vr)) {
    return { tag, vr, valueStart: offset + 8, length: view.getUint16(offset + 6, little) }
  }
  ensure(source, offset + 12, limit)
  return { tag, vr, valueStart: offset + 12, length: view.getUint32(offset + 8, little) }
}

/**
 * Whether the element at `offset` has two blanks or other signs in place of its VR, and a length of two bytes. The same
 * bytes could be the length of an implicit element, so what follows the value decides.
 * @throws NeedMoreBytes
 */
export function hasBlankVr(source: HeldBytes, offset: number, limit: number): boolean {
  const { view, bytes, encoding } = source
  if (offset + 8 > bytes.length || !isBlankVr(bytes[offset + 4] ?? 0, bytes[offset + 5] ?? 0)) return false
  const end = offset + 8 + view.getUint16(offset + 6, encoding.isLittleEndian)
  if (end === limit) return true
  if (end + 8 > limit) return false
  if (end + 8 <= bytes.length) return beginsElementAfter(view, end, readTagAt(source, offset), encoding.isLittleEndian)
  if (source.isPrefix) throw new NeedMoreBytes(end + 8)
  return false
}

/** Whether these two bytes are printed signs, but no VR. */
export function isBlankVr(first: number, second: number): boolean {
  return isPrintable(first) && isPrintable(second) && !(isCapital(first) && isCapital(second))
}

/** Whether the eight bytes at `offset` look like an explicit element, or a delimiter, behind that of `previousTag`. */
export function beginsElementAfter(
  view: DataView,
  offset: number,
  previousTag: number,
  isLittleEndian: boolean,
): boolean {
  const tag = ((view.getUint16(offset, isLittleEndian) << 16) | view.getUint16(offset + 2, isLittleEndian)) >>> 0
  if (tag === ITEM || tag === ITEM_DELIMITER || tag === SEQUENCE_DELIMITER) return true
  const [first, second] = [view.getUint8(offset + 4), view.getUint8(offset + 5)]
  if (isKnownVr(String.fromCharCode(first, second))) return true
  return tag > previousTag && isBlankVr(first, second)
}

function isPrintable(code: number): boolean {
  return code >= 0x20 && code < 0x7f
}

/** Offset behind the pixel data at `offset`, which stand last; nothing stands there when there are none. */
export function endOfElement(source: HeldBytes, { isExplicit }: Encoding, offset: number): number {
  const limit = source.bytes.length
  if (limit - offset < 8) return offset
  const header = readElementHeader(source, offset, limit, isExplicit)
  if (header.tag >>> 16 === 0xfffe) return offset
  if (header.length !== UNDEFINED_LENGTH) return header.valueStart + header.length
  return findEndOfUndefinedLength(source, { ...header, vr: 'OB' }, limit, isExplicit)
}

type Frame = { kind: 'sequence' | 'item' | 'fragments'; end: number | undefined; isExplicit: boolean }

/**
 * Offset behind an undefined-length value, its delimiter included. Loops instead of recursing, so that depth costs no stack.
 * @param limit offset where the surrounding item or the data ends
 * @throws NeedMoreBytes, DicomReadError truncated | malformed | too-deep | too-large
 */
export function findEndOfUndefinedLength(
  source: HeldBytes,
  header: ElementHeader,
  limit: number,
  isExplicit: boolean,
): number {
  return walkNested(source, header.valueStart, limit, openFrame(header, undefined, isExplicit))
}

/**
 * Refuses a defined-length sequence that nests too deeply or holds too much. Other faults inside do not matter here:
 * the declared end says where the next element begins.
 * @throws DicomReadError too-deep | too-large
 */
export function checkDepth(source: HeldBytes, header: ElementHeader, isExplicit: boolean): void {
  const end = header.valueStart + header.length
  try {
    walkNested(source, header.valueStart, end, { kind: 'sequence', end, isExplicit })
  } catch (error) {
    if (error instanceof DicomReadError && error.code !== 'too-deep' && error.code !== 'too-large') return
    throw error
  }
}

function walkNested(source: HeldBytes, start: number, limit: number, outermost: Frame): number {
  const stack = [outermost]
  let depth = 1
  let offset = start
  for (;;) {
    const top = stack.at(-1)
    if (!top) return offset
    if (top.end !== undefined && offset >= top.end) {
      offset = top.end
      stack.pop()
      if (top.kind !== 'item') depth -= 1
      continue
    }
    source.left.nestedHeaders -= 1
    if (source.left.nestedHeaders < 0) throw new DicomReadError('too-large', 'The sequences hold too many elements')
    ensure(source, offset + 8, limit)
    const tag = readTagAt(source, offset)
    if (tag === SEQUENCE_DELIMITER) {
      // A missing item delimiter before it is forgiven: the item ends here all the same.
      stack.pop()
      if (top.kind === 'item') continue
      depth -= 1
      offset += 8
    } else if (top.kind === 'item') {
      if (tag === ITEM_DELIMITER) {
        offset += 8
        stack.pop()
        continue
      }
      const header = readElementHeader(source, offset, limit, top.isExplicit)
      if (header.length === UNDEFINED_LENGTH || isSequence(source, header, limit)) {
        depth += 1
        if (depth > MAX_SEQUENCE_DEPTH) {
          throw new DicomReadError('too-deep', `Sequences are nested more than ${MAX_SEQUENCE_DEPTH} levels deep`)
        }
        const end = header.length === UNDEFINED_LENGTH ? undefined : header.valueStart + header.length
        stack.push(openFrame(header, end, top.isExplicit))
        offset = header.valueStart
      } else {
        offset = header.valueStart + header.length
      }
    } else if (tag === ITEM) {
      const length = source.view.getUint32(offset + 4, source.encoding.isLittleEndian)
      offset += 8
      if (top.kind === 'fragments') offset += length
      else
        stack.push({
          kind: 'item',
          end: length === UNDEFINED_LENGTH ? undefined : offset + length,
          isExplicit: top.isExplicit,
        })
    } else {
      throw new DicomReadError('malformed', 'A sequence holds something that is not an item')
    }
  }
}

/** How the value of a nested element is walked. An undefined-length UN holds implicit VR whatever surrounds it (PS3.5 §6.2.2). */
function openFrame(header: ElementHeader, end: number | undefined, isExplicit: boolean): Frame {
  if (header.vr === 'OB' || header.vr === 'OW') return { kind: 'fragments', end, isExplicit }
  return { kind: 'sequence', end, isExplicit: header.vr === 'UN' ? false : isExplicit }
}

/** Whether a defined-length element is a sequence: said by its VR, or without one by the item that it begins with. */
export function isSequence(source: HeldBytes, header: ElementHeader, limit: number): boolean {
  if (header.vr === 'SQ') return true
  if (header.vr !== undefined && header.vr !== 'UN') return false
  if (header.length < 8 || header.length === UNDEFINED_LENGTH || header.valueStart + 8 > limit) return false
  if (header.valueStart + 8 > source.bytes.length) return false
  if (readTagAt(source, header.valueStart) !== ITEM) return false
  const itemLength = source.view.getUint32(header.valueStart + 4, source.encoding.isLittleEndian)
  return itemLength === UNDEFINED_LENGTH || itemLength <= header.length - 8
}

/** Checks that the bytes up to `end` are at hand and inside `limit`. */
export function ensure(source: HeldBytes, end: number, limit: number): void {
  if (end > limit) throw new DicomReadError('truncated', 'The file ends inside an element')
  if (end > source.bytes.length) {
    if (source.isPrefix) throw new NeedMoreBytes(end)
    throw new DicomReadError('truncated', 'The file ends inside an element')
  }
}

function isCapital(code: number): boolean {
  return code >= 0x41 && code <= 0x5a
}
