import { type DataSet, walkDataSet } from '../data-set.ts'
import { findVr } from '../dictionary.ts'
import {
  type DicomElement,
  type Encoding,
  ITEM,
  ITEM_DELIMITER,
  readTagAt,
  SEQUENCE_DELIMITER,
  UNDEFINED_LENGTH,
} from '../elements.ts'
import { deflate, inflate } from '../node/inflate.ts'
import { isPixelDataTag, readDataSet } from '../read.ts'
import { isPrivateTag, Tag } from '../tags.ts'
import {
  DeflatedLittleEndian,
  ExplicitBigEndian,
  ExplicitLittleEndian,
  ImplicitLittleEndian,
  transferSyntaxOf,
} from '../transfer-syntaxes.ts'
import { holdsItems, readItems, valueBytes } from '../values.ts'
import { concatBytes, encodeRaw, writeMeta } from '../write-part10.ts'

/** Ways to write the same object. */
export type Writing = {
  /** Of a native object; one that is encapsulated keeps its own. */
  syntax: 'explicit' | 'implicit' | 'bigEndian' | 'deflated'
  hasUndefinedLengths: boolean
  hasGroupLengths: boolean
  hasTrailingPadding: boolean
  /** Another name of the writer in group 0002, and bytes in the preamble. */
  hasOtherMeta: boolean
  /** Fragments are cut in two, and the offset table is left empty. */
  hasCutFragments: boolean
  /** Texts that end in blanks where there is room. */
  hasMoreBlanks: boolean
}

const syntaxes = {
  explicit: ExplicitLittleEndian,
  implicit: ImplicitLittleEndian,
  bigEndian: ExplicitBigEndian,
  deflated: DeflatedLittleEndian,
} as const

/** The change of a value on the way, for an object that is another one afterwards. */
type SyntheticChange = (element: { tag: number; vr: string; value: Uint8Array }) => Uint8Array

/**
 * The same object written in another way: equal values, equal pixels.
 * @param file little endian
 * @throws DicomReadError
 */
export function rewritten(
  file: Uint8Array,
  writing: Writing,
  change: SyntheticChange = ({ value }) => value,
): Uint8Array {
  const { dataSet, transferSyntax } = readDataSet(file, { inflate })
  const isEncapsulated = transferSyntaxOf(transferSyntax).isEncapsulated
  const syntax = isEncapsulated ? transferSyntax : syntaxes[writing.syntax]
  const traits = transferSyntaxOf(syntax)
  const context = { writing, change, encoding: traits, isSigned: isSigned(dataSet) }
  const elements = writeElements(dataSet, context)
  const pixels = hasPixels(dataSet) ? writePixels(dataSet, isEncapsulated, context) : []
  const padding = writing.hasTrailingPadding
    ? encodeRaw(0xfffcfffc, 'OB', new Uint8Array(26), traits)
    : new Uint8Array()
  const body = concatBytes([elements, ...pixels, padding])
  const text = (tag: number) => {
    const element = dataSet.elements.get(tag)
    return element ? new TextDecoder('latin1').decode(valueBytes(dataSet, element)).replace(/[\0 ]+$/, '') : ''
  }
  const meta = writeMeta(text(Tag.SOPClassUID), text(Tag.SOPInstanceUID), syntax)
  if (writing.hasOtherMeta) meta.fill(7, 0, 100)
  return concatBytes([meta, traits.isDeflated ? deflate(body) : body])
}

type Context = { writing: Writing; change: SyntheticChange; encoding: Encoding; isSigned: boolean }

function hasPixels({ source, end }: DataSet): boolean {
  return end + 12 <= source.bytes.length && isPixelDataTag(readTagAt(source, end))
}

function isSigned(dataSet: DataSet): boolean {
  const element = dataSet.elements.get(Tag.PixelRepresentation)
  return element !== undefined && valueBytes(dataSet, element)[0] === 1
}

function writeElements(dataSet: DataSet, context: Context): Uint8Array {
  const { writing, encoding } = context
  const written: [tag: number, bytes: Uint8Array][] = []
  for (const element of [...dataSet.elements.values()].sort((a, b) => a.tag - b.tag)) {
    if ((element.tag & 0xffff) === 0) continue
    written.push([element.tag, writeElement(dataSet, element, context)])
  }
  const parts: Uint8Array[] = []
  for (const [index, [tag, bytes]] of written.entries()) {
    const group = tag >>> 16
    if (writing.hasGroupLengths && group !== (written[index - 1]?.[0] ?? 0) >>> 16) {
      const own = written.filter(([other]) => other >>> 16 === group)
      const length = new Uint8Array(4)
      const sum = own.reduce((total, [, one]) => total + one.length, 0)
      new DataView(length.buffer).setUint32(0, sum, encoding.isLittleEndian)
      parts.push(encodeRaw((group << 16) >>> 0, 'UL', length, encoding))
    }
    parts.push(bytes)
  }
  return concatBytes(parts)
}

const paddedText: ReadonlySet<string> = new Set('LO SH PN CS DS IS LT ST UT'.split(' '))

function writeElement(dataSet: DataSet, element: DicomElement, context: Context): Uint8Array {
  const { writing, change, encoding } = context
  const vr = vrFor(element, context)
  if (holdsItems(dataSet, element)) return writeSequence(dataSet, element, context)
  let value = change({ tag: element.tag, vr, value: valueBytes(dataSet, element).slice() })
  if (
    writing.hasMoreBlanks &&
    !isPrivateTag(element.tag) &&
    paddedText.has(vr) &&
    value.length % 2 === 0 &&
    value.length > 0 &&
    value.length < 8
  ) {
    value = concatBytes([value, new TextEncoder().encode('  ')])
  }
  return encodeRaw(element.tag, vr, encoding.isLittleEndian ? value : swapped(value, vr), encoding)
}

function writeSequence(dataSet: DataSet, element: DicomElement, context: Context): Uint8Array {
  const { encoding, writing } = context
  const items = readItems(dataSet, element).map((item) => {
    const content = writeElements(item, context)
    const length = writing.hasUndefinedLengths ? UNDEFINED_LENGTH : content.length
    const parts = [itemHeader(ITEM, length, encoding), content]
    if (writing.hasUndefinedLengths) parts.push(itemHeader(ITEM_DELIMITER, 0, encoding))
    return concatBytes(parts)
  })
  const content = concatBytes(items)
  const head = encodeRaw(element.tag, 'SQ', new Uint8Array(), encoding)
  const length = writing.hasUndefinedLengths ? UNDEFINED_LENGTH : content.length
  new DataView(head.buffer, head.byteOffset).setUint32(head.length - 4, length, encoding.isLittleEndian)
  const end = writing.hasUndefinedLengths ? [itemHeader(SEQUENCE_DELIMITER, 0, encoding)] : []
  return concatBytes([head, content, ...end])
}

function vrFor(element: DicomElement, { isSigned, encoding }: Context): string {
  const written = element.vr && element.vr !== 'UN' ? element.vr : findVr(element.tag)
  const settled = { xs: isSigned ? 'SS' : 'US', ox: 'OW', lt: 'OW' }[written] ?? written
  // UN says nothing of its words, which big endian would turn round
  return settled === 'UN' && !encoding.isLittleEndian ? 'OB' : settled
}

function itemHeader(tag: number, length: number, { isLittleEndian }: Encoding): Uint8Array {
  const bytes = new Uint8Array(8)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, tag >>> 16, isLittleEndian)
  view.setUint16(2, tag & 0xffff, isLittleEndian)
  view.setUint32(4, length, isLittleEndian)
  return bytes
}

const words: Readonly<Record<string, number>> = {
  US: 2,
  SS: 2,
  OW: 2,
  AT: 2,
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

function swapped(bytes: Uint8Array, vr: string): Uint8Array {
  const size = words[vr] ?? 1
  const turned = bytes.slice()
  for (let at = 0; at + size <= turned.length; at += size) turned.subarray(at, at + size).reverse()
  return turned
}

/** The pixel data, and the elements behind it. */
function writePixels(dataSet: DataSet, isEncapsulated: boolean, context: Context): Uint8Array[] {
  const { bytes, view } = dataSet.source
  const { change, encoding, writing } = context
  const start = dataSet.end
  const isExplicit = dataSet.encoding.isExplicit
  const tag = ((view.getUint16(start, true) << 16) | view.getUint16(start + 2, true)) >>> 0
  const valueStart = start + (isExplicit ? 12 : 8)
  if (!isEncapsulated) {
    const vr = isExplicit ? String.fromCharCode(bytes[start + 4] ?? 0, bytes[start + 5] ?? 0) : 'OW'
    const length = view.getUint32(valueStart - 4, true)
    const value = change({ tag, vr, value: bytes.slice(valueStart, valueStart + length) })
    const pixels = encodeRaw(tag, vr, encoding.isLittleEndian ? value : swapped(value, vr), encoding)
    return [pixels, writeBehind(dataSet, valueStart + length, context)]
  }
  const head = encodeRaw(tag, 'OB', new Uint8Array(), encoding)
  new DataView(head.buffer, head.byteOffset).setUint32(8, UNDEFINED_LENGTH, true)
  const fragments = [...fragmentsOf(bytes, view, valueStart)]
  const [table = new Uint8Array(), ...frames] = fragments
  const written = frames.map((frame, index) => (index === 0 ? change({ tag, vr: 'OB', value: frame.slice() }) : frame))
  const isCut = writing.hasCutFragments && written.length === 1
  const pieces = isCut ? written.flatMap((frame) => cut(frame)) : written
  const parts = [isCut ? new Uint8Array() : table, ...pieces]
  const end = fragments.reduce((sum, fragment) => sum + 8 + fragment.length, valueStart + 8)
  return [
    head,
    ...parts.flatMap((part) => [itemHeader(ITEM, part.length, encoding), part]),
    itemHeader(SEQUENCE_DELIMITER, 0, encoding),
    writeBehind(dataSet, end, context),
  ]
}

function writeBehind({ source, encoding, charset }: DataSet, start: number, context: Context): Uint8Array {
  const options = { start, limit: source.bytes.length, inheritedCharset: charset, isLenient: true }
  const behind = walkDataSet(source, encoding, options)
  behind.elements.delete(0xfffcfffc)
  return writeElements(behind, context)
}

function cut(frame: Uint8Array): Uint8Array[] {
  const middle = Math.floor(frame.length / 4) * 2
  return [frame.subarray(0, middle), frame.subarray(middle)]
}

function* fragmentsOf(bytes: Uint8Array, view: DataView, start: number): Generator<Uint8Array> {
  for (let at = start; at + 8 <= bytes.length && view.getUint16(at + 2, true) === 0xe000; ) {
    const length = view.getUint32(at + 4, true)
    yield bytes.subarray(at + 8, at + 8 + length)
    at += 8 + length
  }
}
