import { type DataSet, latin1, walkDataSet } from './data-set.ts'
import {
  type DicomElement,
  ITEM,
  ITEM_DELIMITER,
  isSequence,
  readTagAt,
  SEQUENCE_DELIMITER,
  UNDEFINED_LENGTH,
} from './elements.ts'
import { DicomReadError } from './read-error.ts'
import { vrOfTag } from './tags.ts'
import { decodeDeclaredText, decodeText } from './text.ts'

export function valueBytes(dataSet: DataSet, element: DicomElement): Uint8Array {
  return dataSet.source.bytes.subarray(element.valueStart, element.valueStart + element.length)
}

/** The whole value as text in the character set of the data set, padding removed; undefined when absent or empty. */
export function findText(dataSet: DataSet, tag: number): string | undefined {
  const element = dataSet.elements.get(tag)
  if (!element || element.length === 0) return undefined
  const vr = vrOfElement(element)
  const text = trimPadding(decodeValue(dataSet, element, vr), vr)
  return text === '' ? undefined : text
}

/** The text of an element, U+FFFD for bytes that the declared character set does not have: nothing is guessed. */
export function findDeclaredText(dataSet: DataSet, tag: number): string | undefined {
  const element = dataSet.elements.get(tag)
  if (!element || element.length === 0) return undefined
  const vr = vrOfElement(element)
  if (!decodedVrs.has(vr)) return findText(dataSet, tag)
  const text = trimPadding(decodeDeclaredText(valueBytes(dataSet, element), dataSet.charset, vr === 'PN'), vr)
  return text === '' ? undefined : text
}

/** The values of a text element, each trimmed; empty when the element is absent. */
export function findTexts(dataSet: DataSet, tag: number): string[] {
  const element = dataSet.elements.get(tag)
  if (!element || element.length === 0) return []
  const vr = vrOfElement(element)
  return splitValues(decodeValue(dataSet, element, vr), vr)
}

/** The first number of a numeric or number-as-text element; undefined when absent or not a number. */
export function findNumber(dataSet: DataSet, tag: number): number | undefined {
  return findNumbers(dataSet, tag)[0]
}

/** The numbers of an element; what is not a number is left out. */
export function findNumbers(dataSet: DataSet, tag: number): number[] {
  const element = dataSet.elements.get(tag)
  if (!element || element.length === 0) return []
  const vr = vrOfElement(element)
  if (isBinaryNumber(vr)) return readBinaryNumbers(dataSet, element, vr).map(Number)
  return splitValues(latin1(valueBytes(dataSet, element)), vr)
    .filter((text) => text !== '')
    .map(Number)
    .filter((number) => Number.isFinite(number))
}

/** The items of a sequence, each a data set of its own over the same bytes; empty when absent or not a sequence. */
export function findItems(dataSet: DataSet, tag: number): DataSet[] {
  const element = dataSet.elements.get(tag)
  return element ? readItems(dataSet, element) : []
}

/** Whether an element holds items: by its VR, or by what stands in it when the VR does not say. */
export function holdsItems(dataSet: DataSet, element: DicomElement): boolean {
  if (element.hasUndefinedLength) return element.vr !== 'OB' && element.vr !== 'OW'
  return isSequence(dataSet.source, element, element.end)
}

/**
 * The items of one element; a damaged item ends with the last element that could be read.
 * @throws DicomReadError too-large when more were opened of the data set than any real one has
 */
export function readItems(dataSet: DataSet, element: DicomElement): DataSet[] {
  return [...eachItem(dataSet, element)]
}

/**
 * The same, each opened when its turn comes.
 * @param isStrict refuses items and sequences that cannot be read to their end
 * @throws DicomReadError too-large; when strict, truncated or malformed
 */
export function* eachItem(
  dataSet: DataSet,
  element: DicomElement,
  { isStrict = false }: { isStrict?: boolean } = {},
): Generator<DataSet> {
  if (!holdsItems(dataSet, element)) return
  const { source } = dataSet
  // Undefined-length UN holds implicit VR (PS3.5 §6.2.2); so does the rare UN sequence of defined length.
  const encoding = element.vr === 'UN' ? { ...dataSet.encoding, isExplicit: false } : dataSet.encoding
  const sequenceEnd = element.valueStart + element.length
  let offset = element.valueStart
  while (offset + 8 <= sequenceEnd) {
    const tag = readTagAt(source, offset)
    if (tag === SEQUENCE_DELIMITER) return
    if (tag !== ITEM) break
    if (source.left.opened <= 0) throw new DicomReadError('too-large', 'The sequences hold too many elements')
    const length = source.view.getUint32(offset + 4, source.encoding.isLittleEndian)
    const start = offset + 8
    const limit = length === UNDEFINED_LENGTH ? sequenceEnd : Math.min(start + length, sequenceEnd)
    const item = walkDataSet(source, encoding, {
      start,
      limit,
      inheritedCharset: dataSet.charset,
      isLenient: !isStrict,
    })
    source.left.opened -= 3 + item.elements.size + item.duplicates.length
    if (isStrict && length !== UNDEFINED_LENGTH && !isPadding(item, limit)) throw unreadable()
    yield item
    offset = length === UNDEFINED_LENGTH ? endOfItem(item, sequenceEnd) : limit
  }
  if (isStrict && offset < sequenceEnd) throw unreadable()
}

/** Whether nothing but a few zeros stands behind the last element of an item. */
function isPadding({ source, end }: DataSet, limit: number): boolean {
  return source.bytes.subarray(end, limit).every((byte) => byte === 0)
}

function unreadable(): DicomReadError {
  return new DicomReadError('malformed', 'A sequence cannot be read to its end')
}

function endOfItem(item: DataSet, sequenceEnd: number): number {
  const { source, end } = item
  return end + 8 <= sequenceEnd && readTagAt(source, end) === ITEM_DELIMITER ? end + 8 : end
}

/** The VR that an element is read by: the written one, else that of the attribute. */
export function vrOfElement(element: DicomElement): string {
  if (element.vr !== undefined && element.vr !== 'UN') return element.vr
  return vrOfTag(element.tag) ?? element.vr ?? 'UN'
}

const decodedVrs = new Set(['LO', 'LT', 'PN', 'SH', 'ST', 'UC', 'UT'])

/** The text of an element, undivided and with its padding. Only some VRs follow the character set (PS3.5 §6.1.2.3). */
export function decodeValue(dataSet: DataSet, element: DicomElement, vr: string): string {
  const bytes = valueBytes(dataSet, element)
  return decodedVrs.has(vr) ? decodeText(bytes, dataSet.charset, vr === 'PN') : latin1(bytes)
}

const singleValueVrs = new Set(['LT', 'ST', 'UT', 'UR'])

export function splitValues(text: string, vr: string): string[] {
  const values = singleValueVrs.has(vr) ? [text] : text.split('\\')
  return values.map((value) => trimPadding(value, vr))
}

/** Text without padding: trailing blanks and nulls, and leading blanks where they carry no meaning (PS3.5 §6.2). */
function trimPadding(text: string, vr: string): string {
  const trimmed = text.replace(/[\0 ]+$/, '')
  return singleValueVrs.has(vr) || vr === 'UC' ? trimmed : trimmed.replace(/^ +/, '')
}

const binarySizes: Record<string, number> = { US: 2, SS: 2, UL: 4, SL: 4, FL: 4, FD: 8, SV: 8, UV: 8, AT: 4 }

export function isBinaryNumber(vr: string): boolean {
  return vr in binarySizes
}

/** The numbers of a binary element; bytes left over at the end are ignored. 64-bit integers come as bigint. */
export function readBinaryNumbers(dataSet: DataSet, element: DicomElement, vr: string): (number | bigint)[] {
  const { source } = dataSet
  const little = source.encoding.isLittleEndian
  const size = binarySizes[vr]
  if (size === undefined) throw new DicomReadError('malformed', `${vr} does not hold numbers`)
  const numbers: (number | bigint)[] = []
  const end = element.valueStart + element.length
  for (let offset = element.valueStart; offset + size <= end; offset += size) {
    numbers.push(readBinaryNumber(source.view, offset, vr, little))
  }
  return numbers
}

function readBinaryNumber(view: DataView, offset: number, vr: string, little: boolean): number | bigint {
  switch (vr) {
    case 'US':
      return view.getUint16(offset, little)
    case 'SS':
      return view.getInt16(offset, little)
    case 'SL':
      return view.getInt32(offset, little)
    case 'FL':
      return view.getFloat32(offset, little)
    case 'FD':
      return view.getFloat64(offset, little)
    case 'SV':
      return view.getBigInt64(offset, little)
    case 'UV':
      return view.getBigUint64(offset, little)
    case 'AT':
      return ((view.getUint16(offset, little) << 16) | view.getUint16(offset + 2, little)) >>> 0
    default:
      return view.getUint32(offset, little)
  }
}
