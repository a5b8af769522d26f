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
  const ordered = [...elements].sort((a, b) => a.tag - b.tag)
  return concatBytes(ordered.map((element) => encodeElement(element, encoding)))
}

function encodeElement({ tag, vr, value }: WriteElement, encoding: Encoding): Uint8Array {
  return encodeRaw(tag, vr, encodeValue(value, vr, encoding), encoding)
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

function encodeValue(value: WriteValue, vr: string, encoding: Encoding): Uint8Array {
  if (value instanceof Uint8Array) return value
  if (vr === 'SQ') {
    const items = value as readonly WriteElement[][]
    return concatBytes(items.map((item) => encodeItem(encodeElements(item, encoding), encoding)))
  }
  if (typeof value === 'string') return utf8.encode(value)
  const numbers = (typeof value === 'number' ? [value] : value) as readonly (number | bigint)[]
  const size = numberSizes[vr]
  if (size === undefined) return utf8.encode(numbers.map(formatDecimal).join('\\'))
  const bytes = new Uint8Array(numbers.length * size)
  const view = new DataView(bytes.buffer)
  for (const [index, number] of numbers.entries()) writeNumber(view, index * size, vr, number, encoding.isLittleEndian)
  return bytes
}

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
