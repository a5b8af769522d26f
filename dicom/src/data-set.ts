import {
  type HeldBytes,
  type DicomElement,
  type ElementHeader,
  type Encoding,
  checkDepth,
  ensure,
  findEndOfUndefinedLength,
  isSequence,
  readElementHeader,
  UNDEFINED_LENGTH,
} from './elements.ts'
import { MAX_TOP_LEVEL_ELEMENTS } from './limits.ts'
import { DicomReadError } from './read-error.ts'
import { Tag } from './tags.ts'

/** A data set or item: where its elements lie, in file order, over shared bytes. */
export type DataSet = {
  source: HeldBytes
  encoding: Encoding
  /** By tag. Of elements that occur twice the first counts. */
  elements: Map<number, DicomElement>
  /** Further occurrences of a tag that is in `elements` already. */
  duplicates: DicomElement[]
  /** Specific Character Set in force, its values joined by backslashes; an item inherits that of its parent. */
  charset: string
  /** Offset of the first element. */
  start: number
  /** Offset behind the last element that was walked. */
  end: number
}

type WalkOptions = {
  /** Offset of the first element. */
  start: number
  /** Offset that no element may pass: the size of the file, or the end of the item. */
  limit: number
  /** Return true to stop in front of an element. */
  stopBefore?: (header: ElementHeader, isValueAtHand: boolean) => boolean
  /** Charset that applies when the data set names none. */
  inheritedCharset?: string
  /** Elements that cannot be read end the walk instead of failing it (used for items, which have a known end). */
  isLenient?: boolean
}

/**
 * Walks the elements of a data set from `start`.
 * @throws NeedMoreBytes when a prefix is too short, DicomReadError otherwise
 */
export function walkDataSet(source: HeldBytes, encoding: Encoding, options: WalkOptions): DataSet {
  const dataSet: DataSet = {
    source,
    encoding,
    elements: new Map(),
    duplicates: [],
    charset: options.inheritedCharset ?? '',
    start: options.start,
    end: options.start,
  }
  try {
    walkInto(dataSet, options)
  } catch (error) {
    if (!(options.isLenient && error instanceof DicomReadError)) throw error
  }
  const charset = dataSet.elements.get(Tag.SpecificCharacterSet)
  if (charset) {
    const bytes = source.bytes.subarray(charset.valueStart, charset.valueStart + charset.length)
    dataSet.charset = latin1(bytes).replace(/[\0 ]+$/, '')
  }
  return dataSet
}

function walkInto(dataSet: DataSet, options: WalkOptions): void {
  const { source, encoding, elements } = dataSet
  const limit = options.limit
  let offset = options.start
  let count = 0
  while (offset < limit) {
    // A file may end in a few zeros, fewer than a header has. (A big-endian tag begins with a zero: it would be a cut.)
    if (limit - offset < 8 && encoding.isLittleEndian && isZero(source.bytes, offset, limit)) break
    const header = readElementHeader(source, offset, limit, encoding.isExplicit)
    if (header.tag >>> 16 === 0xfffe) break
    const isUndefined = header.length === UNDEFINED_LENGTH
    const valueEnd = isUndefined ? header.valueStart : header.valueStart + header.length
    if (options.stopBefore?.(header, valueEnd <= source.bytes.length)) break
    ensure(source, valueEnd, limit)
    count += 1
    if (count > MAX_TOP_LEVEL_ELEMENTS) throw new DicomReadError('malformed', 'The data set has too many elements')
    let end = valueEnd
    if (isUndefined) end = findEndOfUndefinedLength(source, header, limit, encoding.isExplicit)
    else if (isSequence(source, header, limit))
      checkDepth(source, header, header.vr === 'UN' ? false : encoding.isExplicit)
    const element: DicomElement = {
      tag: header.tag,
      vr: header.vr,
      start: offset,
      valueStart: header.valueStart,
      length: isUndefined ? end - 8 - header.valueStart : header.length,
      end,
      hasUndefinedLength: isUndefined,
    }
    if (elements.has(header.tag)) dataSet.duplicates.push(element)
    else elements.set(header.tag, element)
    offset = end
    dataSet.end = end
  }
}

/** Bytes as text, one character each. */
export function latin1(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}

function isZero(bytes: Uint8Array, start: number, end: number): boolean {
  for (let offset = start; offset < Math.min(end, bytes.length); offset += 1) if (bytes[offset] !== 0) return false
  return true
}
