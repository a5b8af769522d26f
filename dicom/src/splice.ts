import { cleanText } from './clean-text.ts'
import type { DataSet } from './data-set.ts'
import { normaliseDate } from './dates.ts'
import type { DicomElement, Encoding } from './elements.ts'
import { encodeText, UNICODE_CHARSET } from './encode-text.ts'
import { type DicomHeader, type Inflate, readDataSet } from './read.ts'
import { Tag, vrOfTag } from './tags.ts'
import { transferSyntaxOf } from './transfer-syntaxes.ts'
import { findText, holdsItems, readItems, valueBytes, vrOfElement } from './values.ts'
import { concatBytes, encodeElements, encodeItem, encodeRaw } from './write-part10.ts'

/** A correction of one top-level attribute. It holds only where the instance still has the old value; empty means absent. */
export type ElementEdit = {
  tag: number
  old: string
  new: string
  /** What belongs to another attribute is replaced, whatever it is, where that one still has its old value. */
  follows?: { tag: number; old: string }
  /** Top-level attributes that are taken away with it, since they describe the value that was there. */
  drops?: readonly number[]
}

export type SpliceContext = {
  /** Named in the Original Attributes Sequence as the system that changed the values. */
  modifyingSystem: string
  /** When the values were changed, as DT: YYYYMMDDHHMMSS+ZZZZ. */
  modifiedAt: string
  reason: 'COERCE' | 'CORRECT'
  /** Both are needed for a deflated data set. */
  inflate?: Inflate
  deflate?: (dataSet: Uint8Array) => Uint8Array
}

/** The new beginning of a file; behind it follow the bytes of the stored file from `tailOffset`, untouched. */
export type SplicedFile = { prefix: Uint8Array; tailOffset: number; applied: ElementEdit[] }

/** A corrected value needs another character set than the texts that the file already holds. */
export class CharsetNeededError extends Error {
  readonly tag: number
  readonly neededCharset = UNICODE_CHARSET

  constructor(tag: number) {
    super(`A corrected value needs ${UNICODE_CHARSET}, but the file holds other text in another character set`)
    this.name = 'CharsetNeededError'
    this.tag = tag
  }
}

/** One stretch of bytes put in place of another. */
type Cut = { tag: number; start: number; end: number; bytes: Uint8Array }

/**
 * Corrects top-level attributes in a file: the bytes in front of the pixel data are rewritten where an edit touches
 * them, everything else stays as it is. Replaced values are kept in the Original Attributes Sequence (PS3.3 C.12.1).
 * @param bytes the file, or as much of it as `header` was read from (read it with untilPixelData); whole when deflated
 * @throws CharsetNeededError
 */
export function spliceFile(
  bytes: Uint8Array,
  header: DicomHeader,
  edits: readonly ElementEdit[],
  context: SpliceContext,
): SplicedFile {
  const isDeflated = transferSyntaxOf(header.transferSyntax).isDeflated
  const dataSet = isDeflated ? readDataSet(bytes, context).dataSet : header.dataSet
  const applied = edits.filter((edit) => isToApply(dataSet, edit))
  if (applied.length === 0 && !isDeflated) {
    return { prefix: blankPreamble(bytes.subarray(0, dataSet.end)), tailOffset: dataSet.end, applied }
  }
  if (applied.length === 0) return { prefix: blankPreamble(bytes), tailOffset: bytes.length, applied }
  if (!isDeflated && !header.isComplete) throw new RangeError('The header was not read up to the pixel data')

  const start = isDeflated ? 0 : header.dataSetStart
  const corrected = applyCuts(dataSet.source.bytes, start, dataSet.end, cutsFor(dataSet, applied, context))
  const meta = spliceMeta(bytes.subarray(0, header.dataSetStart), header.meta, applied)
  if (!isDeflated) return { prefix: concatBytes([meta, corrected]), tailOffset: dataSet.end, applied }
  if (!context.deflate) throw new RangeError('A deflated data set cannot be written without deflate')
  const whole = concatBytes([corrected, dataSet.source.bytes.subarray(dataSet.end)])
  return { prefix: concatBytes([meta, context.deflate(whole)]), tailOffset: bytes.length, applied }
}

/** The same bytes with an empty preamble: whatever program or picture stood in it is gone. Shares the bytes when there is nothing to blank. */
export function blankPreamble(bytes: Uint8Array): Uint8Array {
  const hasPreamble =
    bytes.length >= 132 && [0x44, 0x49, 0x43, 0x4d].every((code, index) => bytes[128 + index] === code)
  if (!hasPreamble || bytes.subarray(0, 128).every((byte) => byte === 0)) return bytes
  const blanked = bytes.slice()
  blanked.fill(0, 0, 128)
  return blanked
}

/** Whether an edit changes anything in an instance: it still holds what the edit replaces. */
export function isToApply(dataSet: DataSet, edit: ElementEdit): boolean {
  if (!edit.follows) return edit.old !== edit.new && stillHolds(dataSet, edit)
  return stillHolds(dataSet, edit.follows) && cleanText(findText(dataSet, edit.tag) ?? '') !== cleanText(edit.new)
}

/** Whether an instance still has what an edit replaces. */
export function stillHolds(dataSet: DataSet, edit: Pick<ElementEdit, 'tag' | 'old'>): boolean {
  const held = findText(dataSet, edit.tag) ?? ''
  if (cleanText(held) === cleanText(edit.old)) return true
  return vrFor(dataSet, edit.tag) === 'DA' && edit.old !== '' && normaliseDate(held) === normaliseDate(edit.old)
}

/** The attributes that an instance has and that edits take away with what they change. */
export function listDropped(dataSet: DataSet, applied: readonly ElementEdit[]): number[] {
  return applied.flatMap(({ drops = [] }) => drops).filter((tag) => dataSet.elements.has(tag))
}

function vrFor(dataSet: DataSet, tag: number): string {
  const element = dataSet.elements.get(tag)
  return element ? vrOfElement(element) : (vrOfTag(tag) ?? 'LO')
}

function cutsFor(dataSet: DataSet, edits: readonly ElementEdit[], context: SpliceContext): Cut[] {
  const charset = chooseCharset(dataSet, edits)
  const { encoding } = dataSet
  const cuts = edits.flatMap((edit) => {
    const vr = vrFor(dataSet, edit.tag)
    const value = encodeText(edit.new, charset, vr === 'PN')
    if (!value) throw new CharsetNeededError(edit.tag)
    return replace(dataSet, edit.tag, encodeRaw(edit.tag, vr, value, encoding))
  })
  if (charset !== dataSet.charset) {
    const value = encodeElements([{ tag: Tag.SpecificCharacterSet, vr: 'CS', value: charset }], encoding)
    cuts.push(...replace(dataSet, Tag.SpecificCharacterSet, value))
  }
  const dropped = listDropped(dataSet, edits)
  for (const tag of dropped) cuts.push(...replace(dataSet, tag, new Uint8Array()))
  const originals = encodeOriginals(dataSet, [...edits.map(({ tag }) => tag), ...dropped], charset, context)
  return [...cuts, ...replace(dataSet, Tag.OriginalAttributesSequence, originals)]
}

/** The charset of the file where it can hold the new values; Unicode where nothing else in the file minds. */
function chooseCharset(dataSet: DataSet, edits: readonly ElementEdit[]): string {
  const unfit = edits.find((edit) => !encodeText(edit.new, dataSet.charset, vrFor(dataSet, edit.tag) === 'PN'))
  if (!unfit) return dataSet.charset
  const edited = new Set(edits.map((edit) => edit.tag))
  if (holdsForeignText(dataSet, edited)) throw new CharsetNeededError(unfit.tag)
  return UNICODE_CHARSET
}

const textVrs = new Set(['LO', 'LT', 'PN', 'SH', 'ST', 'UC', 'UT', 'UN'])

/** Whether text that stays is written in more than ASCII. */
function holdsForeignText(dataSet: DataSet, except: ReadonlySet<number>): boolean {
  return [...dataSet.elements.values()].some((element) => {
    if (except.has(element.tag)) return false
    if (holdsItems(dataSet, element))
      return readItems(dataSet, element).some((item) => holdsForeignText(item, new Set()))
    return (
      textVrs.has(vrOfElement(element)) && valueBytes(dataSet, element).some((byte) => byte >= 0x80 || byte === 0x1b)
    )
  })
}

/** An element put where it stood, its further occurrences removed; or where its tag belongs when it was absent. */
function replace(dataSet: DataSet, tag: number, bytes: Uint8Array): Cut[] {
  const old = dataSet.elements.get(tag)
  if (old) {
    const again = dataSet.duplicates.filter((element) => element.tag === tag)
    return [
      { tag, start: old.start, end: old.end, bytes },
      ...again.map(({ start, end }) => ({ tag, start, end, bytes: new Uint8Array() })),
    ]
  }
  // Elements may be out of order. What decides how the file is read must stay its first one.
  const elements = [...dataSet.elements.values()]
  const at = elements.findLast((element) => element.tag < tag)?.end ?? elements[0]?.start ?? dataSet.end
  return [{ tag, start: at, end: at, bytes }]
}

/** The Original Attributes Sequence with one more item that keeps the values as they were. */
function encodeOriginals(
  dataSet: DataSet,
  tags: readonly number[],
  charset: string,
  context: SpliceContext,
): Uint8Array {
  const { encoding } = dataSet
  const kept = tags.toSorted((a, b) => a - b).map((tag) => encodeOriginal(dataSet, tag, charset))
  const modified = encodeRaw(Tag.ModifiedAttributesSequence, 'SQ', encodeItem(concatBytes(kept), encoding), encoding)
  const described = encodeElements(
    [
      { tag: Tag.AttributeModificationDateTime, vr: 'DT', value: context.modifiedAt },
      { tag: Tag.ModifyingSystem, vr: 'LO', value: context.modifyingSystem },
      { tag: Tag.SourceOfPreviousValues, vr: 'LO', value: '' },
      { tag: Tag.ReasonForTheAttributeModification, vr: 'CS', value: context.reason },
    ],
    encoding,
  )
  const item = encodeItem(concatBytes([modified, described]), encoding)
  const before = dataSet.elements.get(Tag.OriginalAttributesSequence)
  // Items of an undefined-length sequence close themselves, so they fit into one of defined length as they are.
  const items = before ? concatBytes([valueBytes(dataSet, before), item]) : item
  return encodeRaw(Tag.OriginalAttributesSequence, 'SQ', items, encoding)
}

function encodeOriginal(dataSet: DataSet, tag: number, charset: string): Uint8Array {
  const element = dataSet.elements.get(tag)
  const vr = vrFor(dataSet, tag)
  return encodeRaw(tag, vr, originalBytes(dataSet, element, charset, vr), dataSet.encoding)
}

function originalBytes(dataSet: DataSet, element: DicomElement | undefined, charset: string, vr: string): Uint8Array {
  if (!element) return new Uint8Array()
  // texts in sequences are ASCII where the character set may change
  if (charset === dataSet.charset || holdsItems(dataSet, element)) return valueBytes(dataSet, element)
  return encodeText(findText(dataSet, element.tag) ?? '', charset, vr === 'PN') ?? valueBytes(dataSet, element)
}

/** Preamble and group 0002, whose SOP UIDs follow those of the data set; the group length is set right when it changes. */
function spliceMeta(bytes: Uint8Array, meta: DataSet | undefined, edits: readonly ElementEdit[]): Uint8Array {
  const blanked = blankPreamble(bytes)
  if (!meta) return blanked
  const cuts = edits.flatMap((edit) => {
    const tag = metaTags.get(edit.tag)
    const element = tag === undefined ? undefined : meta.elements.get(tag)
    if (!element) return []
    const value = encodeElements([{ tag: element.tag, vr: 'UI', value: edit.new }], explicitLittle)
    return [{ tag: element.tag, start: element.start, end: element.end, bytes: value }]
  })
  if (cuts.length === 0) return blanked
  const growth = cuts.reduce((sum, cut) => sum + cut.bytes.length - (cut.end - cut.start), 0)
  const length = meta.elements.get(Tag.FileMetaInformationGroupLength)
  if (length) {
    const value = meta.end - length.end + growth
    const bytes = encodeElements([{ tag: length.tag, vr: 'UL', value }], explicitLittle)
    cuts.push({ tag: length.tag, start: length.start, end: length.end, bytes })
  }
  return applyCuts(blanked, 0, blanked.length, cuts)
}

const explicitLittle: Encoding = { isExplicit: true, isLittleEndian: true }

const metaTags = new Map<number, number>([
  [Tag.SOPInstanceUID, Tag.MediaStorageSOPInstanceUID],
  [Tag.SOPClassUID, Tag.MediaStorageSOPClassUID],
])

function applyCuts(bytes: Uint8Array, start: number, end: number, cuts: readonly Cut[]): Uint8Array {
  // Several absent elements may go to one place: in the order of their tags, and in front of one that is replaced there.
  const ordered = [...cuts].sort((a, b) => a.start - b.start || a.end - b.end || a.tag - b.tag)
  const parts: Uint8Array[] = []
  let offset = start
  for (const cut of ordered) {
    parts.push(bytes.subarray(offset, cut.start), cut.bytes)
    offset = cut.end
  }
  parts.push(bytes.subarray(offset, end))
  return concatBytes(parts)
}
