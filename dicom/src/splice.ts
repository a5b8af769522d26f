import { cleanText, cutToLength } from './clean-text.ts'
import { applyCuts, type Cut, cutOut, everyElement, growthOf } from './cuts.ts'
import type { DataSet } from './data-set.ts'
import { normaliseDate, normaliseTime } from './dates.ts'
import { findVr } from './dictionary.ts'
import { type DicomElement, type Encoding, endOfElement } from './elements.ts'
import { encodeText, UNICODE_CHARSET } from './encode-text.ts'
import { foldId } from './fold-id.ts'
import { cutsInsideOf, type FormerPatient, formerPatientOf, walkBehind } from './former-patient.ts'
import { hasPreamble, lacksFileStart, PREAMBLE_BYTES } from './file-start.ts'
import { type DicomHeader, type Inflate, readDataSet } from './read.ts'
import { cutsToUnicode, valueInUnicode } from './recode/to-unicode.ts'
import { cutsOfReferences, type NewUids } from './renamed-references.ts'
import { Tag } from './tags.ts'
import { transferSyntaxOf } from './transfer-syntaxes.ts'
import { findText, valueBytes, vrOfElement } from './values.ts'
import { concatBytes, encodeElements, encodeItem, encodeRaw, writeMeta } from './write-part10.ts'

/**
 * A correction of one top-level attribute. The correction holds where the instance still has the old value, as records
 * show it; empty means absent.
 */
export type ElementEdit = {
  tag: number
  old: string
  new: string
  /** Holds whatever stands there: the record never had the value from its images, or all of them are of one patient. */
  isForAll?: boolean
  /** Of an identifier that holds for all: for those alone that have one of these, in any spelling, or none. */
  among?: readonly string[]
  /** The attribute that this one belongs to: any value is replaced where that attribute still has its old value. */
  follows?: Held
  /** Top-level attributes that are taken away with it, since they describe the value that was there. */
  drops?: readonly number[]
  /** The attribute may have several values, between backslashes. */
  isMultiple?: boolean
}

/** The condition for a correction to hold in an instance. */
type Held = Pick<ElementEdit, 'tag' | 'old' | 'isForAll' | 'among'>

export type SpliceContext = {
  /** Named in the Original Attributes Sequence as the system that changed the values. */
  modifyingSystem: string
  /** When the values were changed, as DT: YYYYMMDDHHMMSS+ZZZZ. */
  modifiedAt: string
  reason: 'COERCE' | 'CORRECT'
  /** Both are needed for a deflated data set. */
  inflate?: Inflate
  deflate?: (dataSet: Uint8Array) => Uint8Array
  /** New UIDs of images that references inside sequences name. Needs an edit that applies. */
  renamed?: NewUids
  /** Leaves out whatever may tell of a former patient, and keeps no original values. */
  withholdsFormer?: boolean
  /** The bytes behind the pixel data, which may tell of one; needed for that, but of a deflated data set. */
  behind?: Uint8Array
}

/** The new beginning of a file; behind it follow the bytes of the stored file from `tailOffset`. */
export type SplicedFile = {
  prefix: Uint8Array
  tailOffset: number
  applied: ElementEdit[]
  /** Whether anything is another than in the stored file, but for its preamble. */
  isChanged: boolean
  /** The bytes behind the pixel data, corrected; the same bytes where nothing there is touched. */
  behindPixels: (stored: Uint8Array) => Uint8Array
}

/**
 * Corrects top-level attributes in a file: the bytes in front of the pixel data are rewritten where an edit touches
 * them, everything else stays as it is. Replaced values are kept in the Original Attributes Sequence (PS3.3 C.12.1),
 * but where `withholdsFormer` leaves out all that may tell of a former patient.
 * Where the character set of the file cannot hold a new value, all its texts are put into Unicode.
 * @param bytes the file, or as much of it as `header` was read from (read it with untilPixelData); whole when deflated
 * @throws DicomReadError when a sequence cannot be read to its end; RangeError when a text becomes too long for its VR
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
  const former = context.withholdsFormer
    ? formerPatientOf(
        dataSet,
        tagsOf(applied),
        listUnheld(dataSet, edits),
        isDeflated ? bytesBehind(dataSet) : behindOf(header, context),
      )
    : undefined
  const isChanged = applied.length > 0 || former !== undefined
  const isToKnow = isChanged || context.withholdsFormer === true
  if (isToKnow && !isDeflated && !header.isComplete)
    throw new RangeError('The header was not read up to the pixel data')
  const untouched = { applied, isChanged, behindPixels: (stored: Uint8Array) => stored }
  if (!isChanged && !isDeflated) {
    return { prefix: blankPreamble(bytes.subarray(0, dataSet.end)), tailOffset: dataSet.end, ...untouched }
  }
  if (!isChanged) return { prefix: blankPreamble(bytes), tailOffset: bytes.length, ...untouched }

  const charset = chooseCharset(dataSet, applied)
  const start = isDeflated ? 0 : header.dataSetStart
  const corrected = applyCuts(
    dataSet.source.bytes,
    start,
    dataSet.end,
    cutsFor(dataSet, applied, charset, context, former),
  )
  const meta = spliceMeta(bytes.subarray(0, header.dataSetStart), header, applied)
  const behindPixels = (stored: Uint8Array) =>
    spliceBehind(dataSet, stored, applied, charset !== dataSet.charset, former)
  if (!isDeflated)
    return { prefix: concatBytes([meta, corrected]), tailOffset: dataSet.end, applied, isChanged, behindPixels }
  if (!context.deflate) throw new RangeError('A deflated data set cannot be written without deflate')
  const inflated = dataSet.source.bytes
  const behind = bytesBehind(dataSet)
  const whole = [corrected, inflated.subarray(dataSet.end, inflated.length - behind.length), behindPixels(behind)]
  const prefix = concatBytes([meta, context.deflate(concatBytes(whole))])
  return { ...untouched, prefix, tailOffset: bytes.length }
}

/** The bytes behind the pixel data of a whole data set. */
export function bytesBehind({ source, encoding, end }: DataSet): Uint8Array {
  return source.bytes.subarray(endOfElement(source, encoding, end))
}

function behindOf({ pixelElement }: DicomHeader, { behind }: SpliceContext): Uint8Array {
  if (pixelElement && !behind) throw new RangeError('The bytes behind the pixel data were not read')
  return behind ?? new Uint8Array()
}

/** Elements behind the pixel data: what was corrected has no second copy there, and texts are in the file's new character set. */
function spliceBehind(
  dataSet: DataSet,
  stored: Uint8Array,
  applied: ElementEdit[],
  isRecoded: boolean,
  former: FormerPatient | undefined,
) {
  const behind = walkBehind(stored, dataSet)
  const written = [...applied.flatMap(({ tag, drops = [] }) => [tag, ...drops]), Tag.SpecificCharacterSet]
  const replaced = new Set([...written, ...(former?.top ?? [])])
  const copies = everyElement(behind).filter(({ tag }) => replaced.has(tag))
  const found = [...copies.map(cutOut), ...cutsOfRest(behind, replaced, isRecoded, former)]
  // nobody knows what names stand in what cannot be read
  const unread = { tag: 0xffffffff, start: behind.end, end: stored.length, bytes: new Uint8Array() }
  const isToGo = former !== undefined && stored.subarray(behind.end).some((byte) => byte !== 0)
  const cuts = [...found, ...groupLengthCuts(behind, found), ...(isToGo ? [unread] : [])]
  return cuts.length === 0 ? stored : applyCuts(stored, 0, stored.length, cuts)
}

/** Changes in the elements that are not written anew. */
function cutsOfRest(
  dataSet: DataSet,
  written: ReadonlySet<number>,
  isRecoded: boolean,
  former: FormerPatient | undefined,
): Cut[] {
  if (isRecoded) return cutsToUnicode(dataSet, written, former?.inside)
  return former ? cutsInsideOf(dataSet, former.inside, written) : []
}

const tagsOf = (edits: readonly ElementEdit[]) => edits.map(({ tag }) => tag)

/** The same bytes with an empty preamble: whatever program or picture stood in it is gone. Shares the bytes when there is nothing to blank. */
export function blankPreamble(bytes: Uint8Array): Uint8Array {
  if (!hasPreamble(bytes) || bytes.subarray(0, PREAMBLE_BYTES).every((byte) => byte === 0)) return bytes
  const blanked = bytes.slice()
  blanked.fill(0, 0, PREAMBLE_BYTES)
  return blanked
}

/** Whether an edit changes anything in an instance. */
export function isToApply(dataSet: DataSet, edit: ElementEdit): boolean {
  const { tag } = edit
  if (shownText(tag, findText(dataSet, tag) ?? '') === shownText(tag, edit.new)) return false
  return stillHolds(dataSet, edit.follows ?? edit)
}

/** Whether an instance still has what an edit replaces. Records cut long texts, so their beginnings are compared. */
function stillHolds(dataSet: DataSet, { tag, old, isForAll, among }: Held): boolean {
  const now = cutToLength(shownText(tag, findText(dataSet, tag) ?? ''))
  if (isForAll) return !among || ['', ...among].map(foldId).includes(foldId(now))
  return now === cutToLength(shownText(tag, old))
}

/** A value as records show it. */
function shownText(tag: number, text: string): string {
  const vr = findVr(tag)
  if (vr === 'DA') return normaliseDate(text)
  if (vr === 'TM') return normaliseTime(text)
  const clean = cleanText(text)
  return tag === Tag.PatientSex ? clean.toUpperCase() : clean
}

/** Tags of edits that do not hold in an instance though it has another value than they write. */
export function listUnheld(dataSet: DataSet, edits: readonly ElementEdit[]): number[] {
  const isOther = ({ tag, new: text }: ElementEdit) =>
    shownText(tag, findText(dataSet, tag) ?? '') !== shownText(tag, text)
  return edits.filter((edit) => isOther(edit) && !isToApply(dataSet, edit)).map(({ tag }) => tag)
}

/** The attributes that an instance has and that edits take away with what they change. */
export function listDropped(dataSet: DataSet, applied: readonly ElementEdit[]): number[] {
  return applied.flatMap(({ drops = [] }) => drops).filter((tag) => dataSet.elements.has(tag))
}

function cutsFor(
  dataSet: DataSet,
  edits: readonly ElementEdit[],
  charset: string,
  context: SpliceContext,
  former: FormerPatient | undefined,
): Cut[] {
  const { encoding } = dataSet
  const isRecoded = charset !== dataSet.charset
  const cuts = edits.flatMap((edit) => {
    // the attribute's own, whatever stood in the file
    const vr = findVr(edit.tag)
    // every text fits into the character set that was chosen
    const value = encodeText(edit.new, charset, vr === 'PN') ?? new Uint8Array()
    return replace(dataSet, edit.tag, encodeRaw(edit.tag, vr, value, encoding))
  })
  if (isRecoded) {
    const value = encodeElements([{ tag: Tag.SpecificCharacterSet, vr: 'CS', value: charset }], encoding)
    cuts.push(...replace(dataSet, Tag.SpecificCharacterSet, value))
  }
  const dropped = listDropped(dataSet, edits)
  const leftOut = [...(former?.top ?? [])].filter((tag) => dataSet.elements.has(tag) && !dropped.includes(tag))
  for (const tag of [...dropped, ...leftOut]) cuts.push(...replace(dataSet, tag, new Uint8Array()))
  if (!context.withholdsFormer) {
    const originals = encodeOriginals(dataSet, [...tagsOf(edits), ...dropped], isRecoded, context)
    cuts.push(...replace(dataSet, Tag.OriginalAttributesSequence, originals))
  }
  const written = new Set(cuts.map(({ tag }) => tag))
  // UIDs fit into every character set: where they alone are new, no text is recoded
  if (!isRecoded && context.renamed) cuts.push(...cutsOfReferences(dataSet, context.renamed, written))
  else cuts.push(...cutsOfRest(dataSet, written, isRecoded, former))
  return [...cuts, ...groupLengthCuts(dataSet, cuts)]
}

/** Lengths of groups that a cut makes wrong. Group lengths are retired, and not needed (PS3.5 §7.2). */
function groupLengthCuts(dataSet: DataSet, cuts: readonly Cut[]): Cut[] {
  const groups = new Set(cuts.map(({ tag }) => tag >>> 16))
  return everyElement(dataSet)
    .filter(({ tag }) => (tag & 0xffff) === 0 && groups.has(tag >>> 16))
    .map(cutOut)
}

/** The character set of the file where it can hold all new values, else Unicode. */
function chooseCharset(dataSet: DataSet, edits: readonly ElementEdit[]): string {
  const { charset } = dataSet
  const isFit = edits.every((edit) => encodeText(edit.new, charset))
  return isFit ? charset : UNICODE_CHARSET
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
  // Elements may be out of order. The first one decides how the file is read and must stay the first.
  const elements = [...dataSet.elements.values()]
  const at = elements.findLast((element) => element.tag < tag)?.end ?? elements[0]?.start ?? dataSet.end
  return [{ tag, start: at, end: at, bytes }]
}

/** The Original Attributes Sequence with one more item that keeps the values as they were. */
function encodeOriginals(
  dataSet: DataSet,
  tags: readonly number[],
  isRecoded: boolean,
  context: SpliceContext,
): Uint8Array {
  const { encoding } = dataSet
  const valueOf = (element: DicomElement) =>
    isRecoded ? valueInUnicode(dataSet, element) : valueBytes(dataSet, element)
  const originals = tags
    .toSorted((a, b) => a - b)
    .map((tag) => {
      const element = dataSet.elements.get(tag)
      const vr = element ? vrOfElement(element) : findVr(tag)
      return encodeRaw(tag, vr, element ? valueOf(element) : new Uint8Array(), encoding)
    })
  const modified = encodeRaw(
    Tag.ModifiedAttributesSequence,
    'SQ',
    encodeItem(concatBytes(originals), encoding),
    encoding,
  )
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
  const items = before ? concatBytes([valueOf(before), item]) : item
  return encodeRaw(Tag.OriginalAttributesSequence, 'SQ', items, encoding)
}

/**
 * Preamble and group 0002, whose SOP UIDs follow those of the data set; the group length is set right when it changes.
 * Where a file came without them they are written.
 */
function spliceMeta(bytes: Uint8Array, header: DicomHeader, edits: readonly ElementEdit[]): Uint8Array {
  const { meta, sopClassUid, sopInstanceUid, transferSyntax } = header
  if (!meta || lacksFileStart(bytes, header)) {
    const newest = (tag: number, old: string) => edits.find((edit) => edit.tag === tag)?.new ?? old
    return writeMeta(newest(Tag.SOPClassUID, sopClassUid), newest(Tag.SOPInstanceUID, sopInstanceUid), transferSyntax)
  }
  const blanked = blankPreamble(bytes)
  const cuts = metaTags.flatMap(([tag, metaTag]) => {
    const edit = edits.find((one) => one.tag === tag)
    const element = meta.elements.get(metaTag)
    if (!edit || !element) return []
    const bytes = encodeElements([{ tag: metaTag, vr: 'UI', value: edit.new }], explicitLittle)
    return [{ tag: metaTag, start: element.start, end: element.end, bytes }]
  })
  if (cuts.length === 0) return blanked
  const growth = growthOf(cuts)
  const length = meta.elements.get(Tag.FileMetaInformationGroupLength)
  if (length) {
    const value = meta.end - length.end + growth
    const bytes = encodeElements([{ tag: length.tag, vr: 'UL', value }], explicitLittle)
    cuts.push({ tag: length.tag, start: length.start, end: length.end, bytes })
  }
  return applyCuts(blanked, 0, blanked.length, cuts)
}

const explicitLittle: Encoding = { isExplicit: true, isLittleEndian: true }

const metaTags = [
  [Tag.SOPInstanceUID, Tag.MediaStorageSOPInstanceUID],
  [Tag.SOPClassUID, Tag.MediaStorageSOPClassUID],
] as const
