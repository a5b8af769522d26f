import type { DataSet } from '../data-set.ts'
import { findVr } from '../dictionary.ts'
import type { DicomElement } from '../elements.ts'
import { isPrivateTag, Tag, tagToHex } from '../tags.ts'
import { decodeValue, eachItem, holdsItems, splitValues, valueBytes } from '../values.ts'

/** One attribute in which two data sets differ. */
export type Difference = {
  /** Eight hex digits; inside of sequences after the tags and item numbers (from 0) that lead there: `00081140/0/00081155`. */
  path: string
  vr: string
  /** Undefined where the data set lacks the attribute. */
  first: string | undefined
  second: string | undefined
}

/** Attributes about the writing of a data set, not about the object. */
const describesWriting: ReadonlySet<number> = new Set([
  0x00080001, // Length to End, retired
  Tag.SpecificCharacterSet, // texts are compared as decoded
  0x7fe00001, // Extended Offset Table
  0x7fe00002, // Extended Offset Table Lengths
  0x7fe00003, // Encapsulated Pixel Data Value Total Length
  0xfffcfffc, // Data Set Trailing Padding
])

const maxReported = 200
const maxReportedChars = 200

/** Differences found so far, those that are not told counted with the others. */
export class Differences {
  readonly reported: Difference[] = []
  count = 0

  add(difference: Difference): void {
    this.count += 1
    if (this.reported.length < maxReported) this.reported.push(difference)
  }
}

/**
 * Compares two data sets value by value, whatever their VR form, byte order, lengths, padding and character sets.
 * @param passedOver top-level tags that are compared elsewhere
 * @throws DicomReadError when sequences hold too much
 */
export function compareDataSets(
  first: DataSet,
  second: DataSet,
  differences: Differences,
  passedOver: ReadonlySet<number> = new Set(),
  path = '',
): void {
  const tags = [...new Set([...first.elements.keys(), ...second.elements.keys()])].sort((one, other) => one - other)
  for (const tag of tags) {
    if ((tag & 0xffff) === 0 || describesWriting.has(tag) || passedOver.has(tag)) continue
    compareElements(tag, first, second, differences, path + tagToHex(tag))
  }
}

function compareElements(tag: number, first: DataSet, second: DataSet, differences: Differences, path: string): void {
  const [one, other] = [first.elements.get(tag), second.elements.get(tag)]
  const vr = vrOfBoth(tag, one, other)
  const tell = (element: DicomElement | undefined, dataSet: DataSet) => element && describe(dataSet, element, vr)
  const differ = () => differences.add({ path, vr, first: tell(one, first), second: tell(other, second) })
  if (!one || !other) return differ()
  const isSequence = [holdsItems(first, one), holdsItems(second, other)]
  if (isSequence.includes(true)) {
    // an empty sequence may be written under any VR
    if (isSequence.includes(false) && one.length > 0 && other.length > 0) return differ()
    return compareItems([...eachItem(first, one)], [...eachItem(second, other)], differences, path)
  }
  if (!isSameValue(valueOf(first, one, vr), valueOf(second, other, vr))) differ()
}

function compareItems(
  first: readonly DataSet[],
  second: readonly DataSet[],
  differences: Differences,
  path: string,
): void {
  if (first.length !== second.length) {
    const tell = (items: readonly DataSet[]) => `${items.length} items`
    return differences.add({ path, vr: 'SQ', first: tell(first), second: tell(second) })
  }
  for (const [index, item] of first.entries()) {
    const other = second[index]
    if (other) compareDataSets(item, other, differences, new Set(), `${path}/${index}/`)
  }
}

/** The VR that either writes; an implicit data set, or UN, says none (PS3.5 §6.2.2). */
function vrOfBoth(tag: number, one: DicomElement | undefined, other: DicomElement | undefined): string {
  const written = [one?.vr, other?.vr].find((vr) => vr !== undefined && vr !== 'UN')
  if (written) return written
  // Private Creator (PS3.5 §7.8.1)
  return isPrivateTag(tag) && (tag & 0xff00) === 0 ? 'LO' : findVr(tag)
}

const textVrs = new Set('AE AS CS DA DS DT IS LO LT PN SH ST TM UC UI UR UT'.split(' '))

/** Bytes of the words of a VR, which big endian turns round. */
const wordBytes: Readonly<Record<string, number>> = {
  US: 2,
  SS: 2,
  OW: 2,
  AT: 2,
  xs: 2,
  ox: 1,
  lt: 2,
  UL: 4,
  SL: 4,
  FL: 4,
  OL: 4,
  OF: 4,
  FD: 8,
  SV: 8,
  UV: 8,
  OD: 8,
  OV: 8,
}

function valueOf(dataSet: DataSet, element: DicomElement, vr: string): string[] | Uint8Array {
  if (textVrs.has(vr)) {
    const values = splitValues(decodeValue(dataSet, element, vr), vr)
    return values.map((value) => normalise(value, vr))
  }
  return inLittleEndian(valueBytes(dataSet, element), element.vr === 'UN' ? 1 : (wordBytes[vr] ?? 1), dataSet)
}

function normalise(value: string, vr: string): string {
  if (vr === 'DS' || vr === 'IS') return decimalOf(value)
  // delimiters of components that are empty may be left out (PS3.5 §6.2.1.2)
  if (vr === 'PN') return value.replace(/[\^ ]+(?==|$)/g, '').replace(/=+$/, '')
  return value
}

/** A decimal string in one form: `+1.50` and `15e-1` are `15e-1`. A value that is no number stays as it is. */
function decimalOf(text: string): string {
  const parts = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d{1,6}))?$/.exec(text)
  if (!parts || !(parts[2] || parts[3])) return text
  const [, sign, whole = '', fraction = '', exponent = '0'] = parts
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  const power = Number(exponent) - fraction.length + (digits.length - significant.length)
  return `${sign === '-' ? '-' : ''}${significant}e${power}`
}

function inLittleEndian(bytes: Uint8Array, size: number, { source }: DataSet): Uint8Array {
  if (source.encoding.isLittleEndian || size === 1) return bytes
  const swapped = bytes.slice()
  for (let at = 0; at + size <= swapped.length; at += size) swapped.subarray(at, at + size).reverse()
  return swapped
}

function isSameValue(one: string[] | Uint8Array, other: string[] | Uint8Array): boolean {
  if (one instanceof Uint8Array || other instanceof Uint8Array) {
    return one instanceof Uint8Array && other instanceof Uint8Array && isSameBytes(one, other)
  }
  return one.length === other.length && one.every((value, index) => value === other[index])
}

/** Equal but for one byte of padding. */
function isSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  const rest = long.subarray(short.length)
  if (rest.length > 1 || (rest[0] && rest[0] !== 0x20)) return false
  return short.every((byte, index) => byte === long[index])
}

function describe(dataSet: DataSet, element: DicomElement, vr: string): string {
  if (holdsItems(dataSet, element) || vr === 'SQ') return `${[...eachItem(dataSet, element)].length} items`
  const value = valueOf(dataSet, element, vr)
  if (!(value instanceof Uint8Array)) {
    return splitValues(decodeValue(dataSet, element, vr), vr)
      .join('\\')
      .slice(0, maxReportedChars)
  }
  return describeBytes(value, vr)
}

function describeBytes(bytes: Uint8Array, vr: string): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const read: Readonly<Record<string, [size: number, at: (offset: number) => number | bigint]>> = {
    US: [2, (at) => view.getUint16(at, true)],
    xs: [2, (at) => view.getUint16(at, true)],
    SS: [2, (at) => view.getInt16(at, true)],
    UL: [4, (at) => view.getUint32(at, true)],
    SL: [4, (at) => view.getInt32(at, true)],
    FL: [4, (at) => view.getFloat32(at, true)],
    FD: [8, (at) => view.getFloat64(at, true)],
    SV: [8, (at) => view.getBigInt64(at, true)],
    UV: [8, (at) => view.getBigUint64(at, true)],
  }
  const [size, at] = read[vr] ?? []
  if (!size || !at || bytes.length > size * 32) return `${bytes.length} bytes`
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, index) => String(at(index * size))).join('\\')
}
