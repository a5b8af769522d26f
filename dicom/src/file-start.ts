import { type DataSet, latin1, walkDataSet } from './data-set.ts'
import { type HeldBytes, type Encoding, hasBlankVr, isKnownVr, readTagAt, sourceOf } from './elements.ts'
import { DicomReadError, NeedMoreBytes } from './read-error.ts'
import { Tag } from './tags.ts'
import {
  ExplicitBigEndian,
  ExplicitLittleEndian,
  ImplicitLittleEndian,
  isKnownTransferSyntax,
  transferSyntaxOf,
} from './transfer-syntaxes.ts'

export const PREAMBLE_BYTES = 128
const explicitLittle: Encoding = { isExplicit: true, isLittleEndian: true }
/** "Implicit VR Big Endian DLX": elements in little endian, pixels in big endian. Shown as they stand they would be others. */
const privateSwapped = '1.2.840.113619.5.2'

/** Where the data set of a file begins and how it is written. */
export type FileStart = {
  /** Group 0002; undefined for a bare data set. */
  meta: DataSet | undefined
  /** The syntax that the bytes are in. */
  transferSyntax: string
  /** The syntax that group 0002 names, where it names another. */
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
  const transferSyntax = settleTransferSyntax(bytes, size, dataSetStart, declared)
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

/**
 * Whether a file lacks what every reader of files expects in front of its data set: a preamble, the letters DICM and a
 * group 0002 that names the transfer syntax (PS3.10 §7.1) which the bytes are in. A private syntax may say more of the
 * pixels than the bytes tell; its name stays.
 */
export function lacksFileStart(
  bytes: Uint8Array,
  { meta, declaredTransferSyntax }: Pick<FileStart, 'meta' | 'declaredTransferSyntax'>,
): boolean {
  if (!hasPreamble(bytes) || !meta || findMetaText(meta, Tag.TransferSyntaxUID) === undefined) return true
  return declaredTransferSyntax !== undefined && isKnownTransferSyntax(declaredTransferSyntax)
}

function findMetaStart(source: HeldBytes): number | undefined {
  const { bytes } = source
  if (hasPreamble(bytes)) return PREAMBLE_BYTES + 4
  if (hasMagicAt(bytes, 0)) return 4
  return bytes.length >= 8 && source.view.getUint16(0, true) === 2 && hasKnownVr(bytes, 4) ? 0 : undefined
}

/** Whether a file begins with a preamble, behind which the letters DICM stand. */
export function hasPreamble(bytes: Uint8Array): boolean {
  return hasMagicAt(bytes, PREAMBLE_BYTES)
}

function hasMagicAt(bytes: Uint8Array, offset: number): boolean {
  return bytes.length >= offset + 4 && latin1(bytes.subarray(offset, offset + 4)) === 'DICM'
}

/**
 * Group 0002. The length element of group 0002 is often wrong, so it counts only when the walk ends exactly there; it
 * matters before deflated bytes, which may look like anything.
 */
function readMeta(source: HeldBytes, start: number, size: number): DataSet | undefined {
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
function settleTransferSyntax(
  bytes: Uint8Array,
  size: number,
  start: number,
  declared: string | undefined,
): string | undefined {
  const fits = [ExplicitLittleEndian, ExplicitBigEndian, ImplicitLittleEndian].filter((uid) =>
    beginsAs(bytes, size, start, uid),
  )
  if (!declared) return fits[0]
  const { isExplicit, isLittleEndian } = transferSyntaxOf(declared)
  refuseOtherByteOrder(fits[0], declared)
  if (!isLittleEndian) refuseWithoutVr(bytes, size, start)
  const equivalent = isExplicit ? (isLittleEndian ? ExplicitLittleEndian : ExplicitBigEndian) : ImplicitLittleEndian
  if (fits.includes(equivalent)) return declared
  // Compressed syntaxes are all explicit little endian: when the data set is not, the declared name still tells the codec.
  return fits[0] && isKnownTransferSyntax(declared) && transferSyntaxOf(declared).isEncapsulated ? declared : fits[0]
}

/**
 * No peer that the file leaves to could read it.
 * @throws DicomReadError malformed
 */
function refuseOtherByteOrder(found: string | undefined, declared: string): void {
  if (declared === privateSwapped) {
    throw new DicomReadError('malformed', `The pixels are in a byte order of GE alone (${privateSwapped})`)
  }
  if (found === undefined || !isKnownTransferSyntax(declared)) return
  if (transferSyntaxOf(found).isLittleEndian === transferSyntaxOf(declared).isLittleEndian) return
  const orderOf = (uid: string) => (transferSyntaxOf(uid).isLittleEndian ? 'little endian' : 'big endian')
  throw new DicomReadError(
    'malformed',
    // in a C-STORE response no more than 64 characters of it arrive
    `The file is in ${orderOf(found)}, but says it is in ${orderOf(declared)}`,
  )
}

/**
 * No transfer syntax is implicit and big endian, and no peer reads such a data set.
 * @throws DicomReadError malformed
 */
function refuseWithoutVr(bytes: Uint8Array, size: number, start: number): void {
  const source = sourceOf(bytes, { isExplicit: true, isLittleEndian: false }, bytes.length < size)
  if (bytes.length < start + 8 || hasKnownVr(bytes, start + 4) || hasBlankVr(source, start, size)) return
  throw new DicomReadError('malformed', 'The file is in big endian, but has no VRs')
}

/** Whether an element of a low group begins at `start` in this syntax. */
function beginsAs(bytes: Uint8Array, size: number, start: number, uid: string): boolean {
  if (bytes.length < start + 8) return false
  const encoding = { isExplicit: uid !== ImplicitLittleEndian, isLittleEndian: uid !== ExplicitBigEndian }
  const source = sourceOf(bytes, encoding, bytes.length < size)
  const tag = readTagAt(source, start)
  const group = tag >>> 16
  if (group !== 0x0008 && group !== 0x0004 && group !== 0x0000 && (group < 0x0009 || group > 0x0020)) return false
  if (encoding.isExplicit) return hasKnownVr(bytes, start + 4) || hasBlankVr(source, start, size)
  if (hasKnownVr(bytes, start + 4)) return false
  const length = source.view.getUint32(start + 4, true)
  return length === 0xffffffff || length <= 0x10000
}

function hasKnownVr(bytes: Uint8Array, offset: number): boolean {
  return isKnownVr(latin1(bytes.subarray(offset, offset + 2)))
}
