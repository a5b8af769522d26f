import { type Encoding, hasShortLength, ITEM, UNDEFINED_LENGTH } from './elements.ts'
import { Tag } from './tags.ts'
import { ExplicitLittleEndian, transferSyntaxOf } from './transfer-syntaxes.ts'

/** A value to write: text (values joined by backslashes), numbers, bytes, or the items of a sequence. */
export type WriteValue =
  | string
  | number
  | readonly number[]
  | readonly bigint[]
  | Uint8Array
  | readonly WriteElement[][]

export type WriteElement = { tag: number; vr: string; value: WriteValue }

/** Names this product as the writer of a file (PS3.7 D.3.3.2). 2.25 + UUID: no registered root is needed. */
export const IMPLEMENTATION_CLASS_UID = '2.25.217034716538209460012963391524403518246'
export const IMPLEMENTATION_VERSION = 'HILUM_1'

/**
 * A part-10 file from its elements. Text is written as UTF-8: give ISO_IR 192 as Specific Character Set when it is more
 * than ASCII. Group 0002 is made from the SOP class and instance UIDs among the elements.
 */
export function writePart10(
  elements: readonly WriteElement[],
  transferSyntax: string = ExplicitLittleEndian,
): Uint8Array {
  const text = (tag: number) => String(elements.find((element) => element.tag === tag)?.value ?? '')
  return concatBytes([
    writeMeta(text(Tag.SOPClassUID), text(Tag.SOPInstanceUID), transferSyntax),
    encodeElements(elements, transferSyntaxOf(transferSyntax)),
  ])
}

/** Preamble, magic and group 0002 of a file. */
export function writeMeta(sopClassUid: string, sopInstanceUid: string, transferSyntax: string): Uint8Array {
  const encoding = transferSyntaxOf(ExplicitLittleEndian)
  const body = encodeElements(
    [
      { tag: Tag.FileMetaInformationVersion, vr: 'OB', value: Uint8Array.of(0, 1) },
      { tag: Tag.MediaStorageSOPClassUID, vr: 'UI', value: sopClassUid },
      { tag: Tag.MediaStorageSOPInstanceUID, vr: 'UI', value: sopInstanceUid },
      { tag: Tag.TransferSyntaxUID, vr: 'UI', value: transferSyntax },
      { tag: Tag.ImplementationClassUID, vr: 'UI', value: IMPLEMENTATION_CLASS_UID },
      { tag: Tag.ImplementationVersionName, vr: 'SH', value: IMPLEMENTATION_VERSION },
    ],
    encoding,
  )
  const length = encodeElements([{ tag: Tag.FileMetaInformationGroupLength, vr: 'UL', value: body.length }], encoding)
  const start = new Uint8Array(132)
  start.set([0x44, 0x49, 0x43, 0x4d], 128)
  return concatBytes([start, length, body])
}

/** Elements as bytes, in ascending order of their tags. */
export function encodeElements(elements: readonly WriteElement[], encoding: Encoding): Uint8Array {
  const writer = new ElementWriter(encoding)
  writer.elements(elements)
  return writer.bytes()
}

/**
 * Elements encoded one behind the other into memory that grows with them: a directory of a disc has ten elements for each
 * of its files, and memory for each of them costs more than the bytes.
 */
export class ElementWriter {
  readonly #encoding: Encoding
  #bytes = new Uint8Array(256)
  #view = new DataView(this.#bytes.buffer)
  #length = 0

  constructor(encoding: Encoding) {
    this.#encoding = encoding
  }

  get length(): number {
    return this.#length
  }

  /** A copy of everything written so far. */
  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }

  /** Replaces four bytes that were written before. */
  setUint32(at: number, value: number): void {
    this.#view.setUint32(at, value, this.#encoding.isLittleEndian)
  }

  /** One item of defined length around elements. */
  item(elements: readonly WriteElement[]): void {
    const at = this.#grow(8)
    this.#setTag(at, ITEM)
    this.elements(elements)
    this.setUint32(at + 4, this.#length - at - 8)
  }

  /** Elements in ascending order of their tags. */
  elements(elements: readonly WriteElement[]): void {
    for (const element of elements.toSorted((a, b) => a.tag - b.tag)) this.#element(element)
  }

  #element({ tag, vr, value }: WriteElement): void {
    const { isExplicit, isLittleEndian } = this.#encoding
    const isShort = isExplicit && hasShortLength(vr)
    const at = this.#grow(!isExplicit || isShort ? 8 : 12)
    this.#setTag(at, tag)
    if (isExplicit) {
      this.#bytes[at + 4] = vr.charCodeAt(0)
      this.#bytes[at + 5] = vr.charCodeAt(1)
    }
    const valueAt = this.#length
    this.#value(value, vr)
    // an odd value is padded the way its VR asks
    if ((this.#length - valueAt) % 2 === 1) this.#raw([paddingOf(vr)])
    const length = this.#length - valueAt
    if (isShort && length > 0xfffe) throw new RangeError(`A value of ${vr} cannot be longer than 65,534 bytes`)
    if (isShort) this.#view.setUint16(at + 6, length, isLittleEndian)
    else this.setUint32(valueAt - 4, length)
  }

  #value(value: WriteValue, vr: string): void {
    if (value instanceof Uint8Array) this.#raw(value)
    else if (vr === 'SQ') for (const item of value as readonly WriteElement[][]) this.item(item)
    else if (typeof value === 'string') this.#text(value)
    else this.#numbers(typeof value === 'number' ? [value] : (value as readonly (number | bigint)[]), vr)
  }

  #raw(value: ArrayLike<number>): void {
    const at = this.#grow(value.length)
    this.#bytes.set(value, at)
  }

  #text(text: string): void {
    // a unit of UTF-16 takes three bytes of UTF-8 at most
    const at = this.#grow(text.length * 3)
    this.#length = at + utf8.encodeInto(text, this.#bytes.subarray(at)).written
  }

  #numbers(numbers: readonly (number | bigint)[], vr: string): void {
    const size = numberSizes[vr]
    if (size === undefined) return this.#text(numbers.map(formatDecimal).join('\\'))
    for (const number of numbers) {
      const at = this.#grow(size)
      writeNumber(this.#view, at, vr, number, this.#encoding.isLittleEndian)
    }
  }

  #setTag(at: number, tag: number): void {
    this.#view.setUint16(at, tag >>> 16, this.#encoding.isLittleEndian)
    this.#view.setUint16(at + 2, tag & 0xffff, this.#encoding.isLittleEndian)
  }

  /** Makes room for more bytes, in other memory where this is too small. @returns where they begin */
  #grow(bytes: number): number {
    const at = this.#length
    this.#length += bytes
    if (this.#length <= this.#bytes.length) return at
    const larger = new Uint8Array(2 * this.#length)
    larger.set(this.#bytes)
    this.#bytes = larger
    this.#view = new DataView(larger.buffer)
    return at
  }
}

/** One element around a value that is encoded already; an odd value is padded the way its VR asks. */
export function encodeRaw(tag: number, vr: string, value: Uint8Array, encoding: Encoding): Uint8Array {
  const { isExplicit, isLittleEndian } = encoding
  const length = value.length + (value.length % 2)
  const isShort = isExplicit && hasShortLength(vr)
  if (isShort && length > 0xfffe) throw new RangeError(`A value of ${vr} cannot be longer than 65,534 bytes`)
  const headerBytes = !isExplicit || isShort ? 8 : 12
  const bytes = new Uint8Array(headerBytes + length)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, tag >>> 16, isLittleEndian)
  view.setUint16(2, tag & 0xffff, isLittleEndian)
  if (isExplicit) {
    bytes[4] = vr.charCodeAt(0)
    bytes[5] = vr.charCodeAt(1)
  }
  if (isShort) view.setUint16(6, length, isLittleEndian)
  else view.setUint32(headerBytes - 4, length, isLittleEndian)
  bytes.set(value, headerBytes)
  if (length !== value.length) bytes[bytes.length - 1] = paddingOf(vr)
  return bytes
}

/** One item of defined length around its encoded elements. */
export function encodeItem(content: Uint8Array, encoding: Encoding): Uint8Array {
  if (content.length >= UNDEFINED_LENGTH) throw new RangeError('The item is too long')
  const header = new Uint8Array(8)
  const view = new DataView(header.buffer)
  view.setUint16(0, ITEM >>> 16, encoding.isLittleEndian)
  view.setUint16(2, ITEM & 0xffff, encoding.isLittleEndian)
  view.setUint32(4, content.length, encoding.isLittleEndian)
  return concatBytes([header, content])
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}

const utf8 = new TextEncoder()

const numberSizes: Record<string, number> = { US: 2, SS: 2, UL: 4, SL: 4, FL: 4, FD: 8, SV: 8, UV: 8, AT: 4, OV: 8 }

function writeNumber(view: DataView, offset: number, vr: string, value: number | bigint, little: boolean): void {
  const number = Number(value)
  if (vr === 'US') view.setUint16(offset, number, little)
  else if (vr === 'SS') view.setInt16(offset, number, little)
  else if (vr === 'SL') view.setInt32(offset, number, little)
  else if (vr === 'FL') view.setFloat32(offset, number, little)
  else if (vr === 'FD') view.setFloat64(offset, number, little)
  else if (vr === 'SV') view.setBigInt64(offset, BigInt(value), little)
  else if (vr === 'UV' || vr === 'OV') view.setBigUint64(offset, BigInt(value), little)
  else if (vr === 'AT') {
    view.setUint16(offset, number >>> 16, little)
    view.setUint16(offset + 2, number & 0xffff, little)
  } else view.setUint32(offset, number, little)
}

/** A number as a DS or IS value, which holds at most 16 characters. */
function formatDecimal(number: number | bigint): string {
  const text = String(number)
  return text.length <= 16 ? text : Number(number).toPrecision(10)
}

function paddingOf(vr: string): number {
  return vr === 'UI' || vr === 'OB' || vr === 'UN' ? 0 : 0x20
}
