import type { DataSet } from './data-set.ts'
import { findVr } from './dictionary.ts'
import { type DicomElement, endOfElement } from './elements.ts'
import { encodeText, UNICODE_CHARSET } from './encode-text.ts'
import { formerPatientOf } from './former-patient.ts'
import { type DicomHeader, type Inflate, readDataSet } from './read.ts'
import { DicomReadError } from './read-error.ts'
import { textInUnicode } from './recode/to-unicode.ts'
import { bytesBehind, type ElementEdit, isToApply, listDropped, listUnheld } from './splice.ts'
import { isPrivateTag, Tag } from './tags.ts'
import { transferSyntaxOf } from './transfer-syntaxes.ts'
import { eachItem, findText, holdsItems } from './values.ts'
import { concatBytes, encodeElements, encodeItem, encodeRaw, type WriteValue, writeMeta } from './write-part10.ts'

/** The new value of an attribute wherever it stands; without a value the attribute is left out. */
export type AttributeChange = { vr: string; value: WriteValue | undefined }

export type AnonymizeOptions = {
  changes: ReadonlyMap<number, AttributeChange>
  /** Corrections of other top-level attributes, made where the instance still holds the old value. */
  edits: readonly ElementEdit[]
  /** Leaves out whatever else may tell of a former patient. */
  withholdsFormer?: boolean
  /** The bytes behind the pixel data, which may tell of one. */
  behind?: Uint8Array
}

type Deflating = { inflate?: Inflate; deflate?: (dataSet: Uint8Array) => Uint8Array }

/** The new beginning of a file. The pixel data follow from `pixelOffset` of the stored file; undefined when none do. */
type AnonymizedStart = { prefix: Uint8Array; pixelOffset: number | undefined }

/**
 * Writes everything in front of the pixel data anew, file meta too, so that nothing tells what was replaced: an
 * attribute is replaced or left out on every level, copies in sequences too; the Original Attributes Sequences go, and so
 * do second occurrences and whatever could not be read inside of a sequence. Values are written in the file's character
 * set, or all texts in Unicode where that cannot hold them.
 * @param bytes the file, or as much of it as `header` was read from (read it with untilPixelData); whole when deflated
 * @throws DicomReadError, or RangeError when a value is too long for its place
 */
export function anonymizeFile(
  bytes: Uint8Array,
  header: DicomHeader,
  options: AnonymizeOptions,
  deflating: Deflating,
): AnonymizedStart {
  const { isDeflated } = transferSyntaxOf(header.transferSyntax)
  if (!isDeflated && !header.isComplete) throw new RangeError('The header was not read up to the pixel data')
  const dataSet = isDeflated ? readDataSet(bytes, deflating).dataSet : header.dataSet
  const meta = writeMeta(header.sopClassUid, header.sopInstanceUid, header.transferSyntax)
  const written = encodeAnew(dataSet, isDeflated ? { ...options, behind: bytesBehind(dataSet) } : options)
  if (!isDeflated) {
    const prefix = concatBytes([meta, written])
    assertReadAlike(prefix, header)
    return { prefix, pixelOffset: header.pixelOffset }
  }
  if (!deflating.deflate) throw new RangeError('A deflated data set cannot be written without deflate')
  const pixels = dataSet.source.bytes.subarray(dataSet.end, endOfElement(dataSet.source, dataSet.encoding, dataSet.end))
  return { prefix: concatBytes([meta, deflating.deflate(concatBytes([written, pixels]))]), pixelOffset: undefined }
}

/**
 * Elements of a damaged file may be written in several ways and stay so: what is read by the first of them must still be
 * the same instance.
 */
function assertReadAlike(prefix: Uint8Array, header: DicomHeader): void {
  const damaged = (cause?: unknown) =>
    new DicomReadError('malformed', 'The file is too damaged to be written anew', { cause })
  let read: ReturnType<typeof readDataSet>
  try {
    read = readDataSet(prefix)
  } catch (error) {
    throw error instanceof DicomReadError ? damaged(error) : error
  }
  const isAlike =
    read.transferSyntax === header.transferSyntax &&
    findText(read.dataSet, Tag.SOPInstanceUID) === header.sopInstanceUid &&
    findText(read.dataSet, Tag.StudyInstanceUID) === header.studyUid
  if (!isAlike) throw damaged()
}

function encodeAnew(dataSet: DataSet, { changes, edits, withholdsFormer, behind }: AnonymizeOptions): Uint8Array {
  const applied = edits.filter((edit) => isToApply(dataSet, edit)).map(({ tag }) => tag)
  const former = withholdsFormer ? formerPatientOf(dataSet, applied, listUnheld(dataSet, edits), behind) : undefined
  const { top, inside } = former ?? nothing
  const replaced = new Map<number, AttributeChange>()
  for (const edit of edits) {
    if (changes.has(edit.tag) || !isToApply(dataSet, edit)) continue
    replaced.set(edit.tag, { vr: writtenVr(dataSet, edit.tag), value: edit.new })
    for (const tag of listDropped(dataSet, [edit])) replaced.set(tag, { vr: 'SQ', value: undefined })
  }
  for (const [tag, change] of changes) {
    const isNew = change.value !== undefined && !isEmpty(change.value) && !isPrivateTag(tag)
    if (isNew && !dataSet.elements.has(tag)) replaced.set(tag, change)
  }
  try {
    return encodeSet(dataSet, { changes, inside, isUnicode: false }, replaced, top)
  } catch (error) {
    if (!(error instanceof UnfitError)) throw error
  }
  replaced.set(Tag.SpecificCharacterSet, { vr: 'CS', value: UNICODE_CHARSET })
  return encodeSet(dataSet, { changes, inside, isUnicode: true }, replaced, top)
}

const nothing = { top: new Set<number>(), inside: new Set<number>() }

/** The character set of the file cannot hold a value. */
class UnfitError extends Error {}

type Writing = {
  changes: ReadonlyMap<number, AttributeChange>
  /** Left out inside sequences, where no change writes it. */
  inside: ReadonlySet<number>
  isUnicode: boolean
}

/**
 * @param replaced elements of this level alone, put where they stand or where they belong
 * @param leftOut elements of this level that go, where no change writes them
 */
function encodeSet(
  dataSet: DataSet,
  writing: Writing,
  replaced: ReadonlyMap<number, AttributeChange> = new Map(),
  leftOut = writing.inside,
) {
  const written: { tag: number; bytes: Uint8Array }[] = []
  const met = new Set<number>()
  for (const element of dataSet.elements.values()) {
    const { tag } = element
    if (isLeftOut(tag, writing)) continue
    met.add(tag)
    const change = replaced.get(tag) ?? writing.changes.get(tag)
    if (!change && leftOut.has(tag)) continue
    const bytes = change ? encodeChange(dataSet, tag, change, writing) : encodeUnchanged(dataSet, element, writing)
    if (bytes) written.push({ tag, bytes })
  }
  for (const [tag, change] of replaced) {
    const bytes = met.has(tag) ? undefined : encodeChange(dataSet, tag, change, writing)
    if (!bytes) continue
    const before = written.findLastIndex((one) => one.tag < tag)
    written.splice(before + 1, 0, { tag, bytes })
  }
  return concatBytes(written.map(({ bytes }) => bytes))
}

/**
 * Lengths of groups would be wrong, file meta among the elements would be read as more of the new file meta, originals
 * would tell, and in Unicode no level names another character set.
 */
function isLeftOut(tag: number, { isUnicode }: Writing): boolean {
  if ((tag & 0xffff) === 0 || tag >>> 16 === 2 || tag === Tag.OriginalAttributesSequence) return true
  return isUnicode && tag === Tag.SpecificCharacterSet
}

function encodeChange(
  { charset, encoding }: DataSet,
  tag: number,
  { vr, value }: AttributeChange,
  { isUnicode }: Writing,
): Uint8Array | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string') return encodeElements([{ tag, vr, value }], encoding)
  const bytes = encodeText(value, isUnicode ? UNICODE_CHARSET : charset, vr === 'PN')
  if (!bytes) throw new UnfitError()
  return encodeRaw(tag, vr, bytes, encoding)
}

function encodeUnchanged(dataSet: DataSet, element: DicomElement, writing: Writing): Uint8Array {
  if (holdsItems(dataSet, element)) {
    const items = Array.from(eachItem(dataSet, element), (item) => encodeItem(encodeSet(item, writing), item.encoding))
    return encodeRaw(element.tag, element.vr === 'UN' ? 'UN' : 'SQ', concatBytes(items), dataSet.encoding)
  }
  const text = writing.isUnicode ? textInUnicode(dataSet, element) : undefined
  if (!text) return dataSet.source.bytes.subarray(element.start, element.end)
  return encodeRaw(element.tag, text.vr, text.value, dataSet.encoding)
}

function writtenVr(dataSet: DataSet, tag: number): string {
  const vr = dataSet.elements.get(tag)?.vr
  return vr === undefined || vr === 'UN' ? findVr(tag) : vr
}

function isEmpty(value: WriteValue): boolean {
  return typeof value !== 'number' && value.length === 0
}
