import { type DataSet, latin1, walkDataSet } from './data-set.ts'
import { type ByteSource, type Encoding, readTagAt, sourceOf } from './elements.ts'
import { DicomReadError, NeedMoreBytes } from './read-error.ts'
import { Tag } from './tags.ts'
import {
  ExplicitBigEndian,
  ExplicitLittleEndian,
  ImplicitLittleEndian,
  isKnownTransferSyntax,
  transferSyntaxOf,
} from './transfer-syntaxes.ts'

const PREAMBLE_BYTES = 128
const explicitLittle: Encoding = { isExplicit: true, isLittleEndian: true }
const knownVrs = new Set(
  'AE AS AT CS DA DS DT FD FL IS LO LT OB OD OF OL OV OW PN SH SL SQ SS ST SV TM UC UI UL UN UR US UT UV'.split(' '),
)

/** Where the data set of a file begins and how it is written. */
export type FileStart = {
  /** Group 0002; undefined for a bare data set. */
  meta: DataSet | undefined
  /** The syntax that the bytes are in. */
  transferSyntax: string
  /** What group 0002 says, where it says something else. */
  declaredTransferSyntax: string | undefined
  dataSetStart: number
}

/**
 * Finds the data set of a file: after preamble and group 0002 (PS3.10 §7.1), after a group 0002 without preamble, or
 * at once in a bare data set whose first element is unmistakable.
 * @throws NeedMoreBytes, DicomReadError empty | not-dicom
 */
export function findFileStart(bytes: Uint8Array, size: number): FileStart {
  if (size === 0) throw new DicomReadError('empty', 'The file is empty')
  const isPrefix = bytes.length < size
  if (bytes.length < PREAMBLE_BYTES + 4 + 8 && isPrefix) throw new NeedMoreBytes(PREAMBLE_BYTES + 4 + 8)
  const source = sourceOf(bytes, explicitLittle, isPrefix)
  const metaStart = findMetaStart(source)
  const meta = metaStart === undefined ? undefined : readMeta(source, metaStart, size)
  const dataSetStart = meta ? meta.end : (metaStart ?? 0)
  const declared = meta ? findMetaText(meta, Tag.TransferSyntaxUID) : undefined
  if (declared && transferSyntaxOf(declared).isDeflated) {
    return { meta, transferSyntax: declared, declaredTransferSyntax: undefined, dataSetStart }
  }
  if (isPrefix && dataSetStart + 8 > bytes.length) throw new NeedMoreBytes(dataSetStart + 8)
  const transferSyntax = settleTransferSyntax(bytes, dataSetStart, declared)
  if (!transferSyntax) {
    if (meta && declared) return { meta, transferSyntax: declared, declaredTransferSyntax: undefined, dataSetStart }
    throw new DicomReadError('not-dicom', 'The file is not DICOM')
  }
  const declaredTransferSyntax = declared && declared !== transferSyntax ? declared : undefined
  return { meta, transferSyntax, declaredTransferSyntax, dataSetStart }
}

/** The text of a group 0002 element, without its padding. */
export function findMetaText(meta: DataSet, tag: number): string | undefined {
  const element = meta.elements.get(tag)
  if (!element) return undefined
  const text = latin1(meta.source.bytes.subarray(element.valueStart, element.valueStart + element.length))
  return text.replace(/[\0 ]+$/, '').trimStart() || undefined
}

function findMetaStart(source: ByteSource): number | undefined {
  const { bytes } = source
  if (hasMagicAt(bytes, PREAMBLE_BYTES)) return PREAMBLE_BYTES + 4
  if (hasMagicAt(bytes, 0)) return 4
  return bytes.length >= 8 && source.view.getUint16(0, true) === 2 && hasKnownVr(bytes, 4) ? 0 : undefined
}

function hasMagicAt(bytes: Uint8Array, offset: number): boolean {
  return bytes.length >= offset + 4 && latin1(bytes.subarray(offset, offset + 4)) === 'DICM'
}

/**
 * Group 0002. Its length element is often wrong, so it counts only when the walk ends exactly there; it matters before
 * deflated bytes, which may look like anything.
 */
function readMeta(source: ByteSource, start: number, size: number): DataSet | undefined {
  const stopBefore = (header: { tag: number }) => header.tag >>> 16 !== 2
  const meta = walkDataSet(source, explicitLittle, { start, limit: size, stopBefore, isLenient: true })
  const lengthElement = meta.elements.get(Tag.FileMetaInformationGroupLength)
  if (lengthElement && lengthElement.length === 4) {
    const declaredEnd = lengthElement.end + source.view.getUint32(lengthElement.valueStart, true)
    const isBoundary = [...meta.elements.values()].some((element) => element.end === declaredEnd)
    if (isBoundary && meta.end > declaredEnd && declaresDeflate(meta)) {
      return walkDataSet(source, explicitLittle, { start, limit: declaredEnd, stopBefore })
    }
  }
  return meta.elements.size > 0 ? meta : undefined
}

function declaresDeflate(meta: DataSet): boolean {
  return transferSyntaxOf(findMetaText(meta, Tag.TransferSyntaxUID) ?? '').isDeflated
}

/** The syntax that the first element is written in; the declared one wherever the bytes allow it. */
function settleTransferSyntax(bytes: Uint8Array, start: number, declared: string | undefined): string | undefined {
  const fits = [ExplicitLittleEndian, ExplicitBigEndian, ImplicitLittleEndian].filter((uid) =>
    beginsAs(bytes, start, uid),
  )
  if (!declared) return fits[0]
  const { isExplicit, isLittleEndian } = transferSyntaxOf(declared)
  const equivalent = isExplicit ? (isLittleEndian ? ExplicitLittleEndian : ExplicitBigEndian) : ImplicitLittleEndian
  if (fits.includes(equivalent)) return declared
  // Compressed syntaxes are all explicit little endian: when the data set is not, the declared name still tells the codec.
  return fits[0] && isKnownTransferSyntax(declared) && transferSyntaxOf(declared).isEncapsulated ? declared : fits[0]
}

/** Whether an element of a low group begins at `start` in this syntax. */
function beginsAs(bytes: Uint8Array, start: number, uid: string): boolean {
  if (bytes.length < start + 8) return false
  const encoding = { isExplicit: uid !== ImplicitLittleEndian, isLittleEndian: uid !== ExplicitBigEndian }
  const source = sourceOf(bytes, encoding)
  const tag = readTagAt(source, start)
  const group = tag >>> 16
  if (group !== 0x0008 && group !== 0x0004 && group !== 0x0000 && (group < 0x0009 || group > 0x0020)) return false
  if (encoding.isExplicit) return hasKnownVr(bytes, start + 4)
  if (hasKnownVr(bytes, start + 4)) return false
  const length = source.view.getUint32(start + 4, true)
  return length === 0xffffffff || length <= 0x10000
}

function hasKnownVr(bytes: Uint8Array, offset: number): boolean {
  return knownVrs.has(latin1(bytes.subarray(offset, offset + 2)))
}
