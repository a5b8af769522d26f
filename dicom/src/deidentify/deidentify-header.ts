import type { DataSet } from '../data-set.ts'
import { findEntry } from '../dictionary.ts'
import type { DicomElement, Encoding } from '../elements.ts'
import { UNICODE_CHARSET } from '../encode-text.ts'
import { MAX_MODELLED_BYTES } from '../limits.ts'
import { isPrivateTag, Tag } from '../tags.ts'
import { decodeValue, eachItem, findNumber, findText, holdsItems, splitValues, valueBytes } from '../values.ts'
import {
  concatBytes,
  encodeElements,
  encodeItem,
  encodeRaw,
  type WriteElement,
  type WriteValue,
} from '../write-part10.ts'
import { isCodeItem, publicCode } from './code-items.ts'
import { profileActionOf } from './profile.ts'
import { isPixelSegmentation, neutralText } from './segmentation.ts'
import { type DateRule, dummyTimes, movedValue } from './temporal.ts'

/** The patient as the recipient knows them, and the parts of the header that may leave. */
export type Deidentification = {
  patientName: string
  patientId: string
  dates: DateRule
  /** Another UID for each UID, the same for the same. */
  uidOf: (uid: string) => string
  /** Descriptions that a person has read and lets leave, as they stand in the file. */
  texts: ReadonlySet<string>
  /** Words that name the patient or people, as `foldWord` gives them: no text that stays holds one. */
  words: readonly string[]
  /** A person has looked at the pixels and found no text in them. */
  isPixelsSeen: boolean
}

/** One attribute before and after. A sequence is told by the attributes inside. */
export type AttributeFate = { tag: number; before: string; after: string; isDescriptor: boolean }

type Work = Deidentification & {
  encoding: Encoding
  tell: (fate: AttributeFate) => void
  depth: number
  isSegmentation: boolean
  /** Number of the segment that is being written. */
  segment?: number | undefined
  /** Corrections of attributes of the top level, by tag. */
  corrected: ReadonlyMap<number, string>
}

/** Texts that describe the picture or the machine: they may leave once a person has read them. */
const descriptors: ReadonlySet<number> = new Set([
  Tag.StudyDescription,
  Tag.SeriesDescription,
  Tag.ProtocolName,
  Tag.Manufacturer,
  Tag.ManufacturerModelName,
  0x00180010, // Contrast/Bolus Agent
  0x00180024, // Sequence Name
  0x00181020, // Software Versions
  0x00181210, // Convolution Kernel
  0x00181250, // Receive Coil Name
  0x00189005, // Pulse Sequence Name
  0x00281055, // Window Center & Width Explanation
  0x00620005, // Segment Label
])

/** Texts of a few words of the standard, which name nobody. */
const fixedTexts: ReadonlyMap<number, RegExp> = new Map([
  [Tag.RescaleType, /^(HU|HU_MOD|US|OD|MGML|PCT|Z_EFF|ED|EDW)$/],
  [0x00209056, /^\d{1,4}$/], // Stack ID
])

/** Binary values that a picture is drawn with; every other one is removed. */
const pictureBytes: ReadonlySet<number> = new Set([
  0x00281201,
  0x00281202,
  0x00281203,
  0x00281204,
  0x00281221,
  0x00281222,
  0x00281223,
  0x00283006,
  Tag.ExtendedOffsetTable,
  Tag.ExtendedOffsetTableLengths,
])

const textVrs = new Set(['AE', 'LO', 'LT', 'PN', 'SH', 'ST', 'UC', 'UR', 'UT'])
const shortTextVrs = new Set(['LO', 'PN', 'SH'])
const numberVrs = new Set(['AT', 'FD', 'FL', 'SL', 'SS', 'SV', 'UL', 'US', 'UV'])
const forms: Readonly<Record<string, RegExp>> = {
  CS: /^[A-Z0-9 _]{0,16}$/,
  AS: /^(\d{3}[DWMY])?$/,
}
const standardUid = /^1\.2\.840\.10008(\.\d{1,10}){1,12}$/
/** Items of these stand for frames by their number. */
const perFrame = new Set([0x52009229, 0x52009230])

/**
 * The attributes in front of the pixels as a recipient may have them: only what is known to name nobody stays. Private and
 * unknown attributes, curves, overlays and texts go, whatever the table of the profile says of them; UIDs are replaced
 * on every level; what stays is written anew in the given encoding, in Unicode.
 */
export function deidentifyHeader(
  dataSet: DataSet,
  encoding: Encoding,
  how: Deidentification,
  corrected: ReadonlyMap<number, string> = new Map(),
  tell: (fate: AttributeFate) => void = () => undefined,
): Uint8Array {
  const isSegmentation = isPixelSegmentation(findText(dataSet, Tag.SOPClassUID) ?? '')
  const work = { ...how, encoding, tell, depth: 0, isSegmentation, corrected }
  const own = new Map(ownElements(how).map((element) => [element.tag, element]))
  const written = new Map<number, Uint8Array>()
  for (const element of dataSet.elements.values()) {
    if (own.has(element.tag)) continue
    const bytes = encodeElement(dataSet, element, work)
    if (bytes) written.set(element.tag, bytes)
  }
  for (const [tag, element] of own) {
    const old = dataSet.elements.get(tag)
    if (tag === Tag.PatientName || tag === Tag.PatientID) {
      const before = work.corrected.get(tag) ?? (old ? textOf(dataSet, old, element.vr) : '')
      tell({ tag, before, after: String(element.value), isDescriptor: false })
    }
    written.set(tag, encodeElements([element], encoding))
  }
  return concatBytes([...written].toSorted(([a], [b]) => a - b).map(([, bytes]) => bytes))
}

/** The values that stand in every copy (PS3.15 §E.1.1, PS3.16 CID 7050). */
function ownElements({ patientName, patientId, dates, texts, isPixelsSeen }: Deidentification): WriteElement[] {
  const codes: [string, string][] = [
    ['113100', 'Basic Application Confidentiality Profile'],
    ...(texts.size > 0 ? [['113105', 'Clean Descriptors Option'] as [string, string]] : []),
    ...(dates.kind === 'moved'
      ? [['113107', 'Retain Longitudinal Temporal Information Modified Dates Option'] as [string, string]]
      : []),
  ]
  return [
    { tag: Tag.SpecificCharacterSet, vr: 'CS', value: UNICODE_CHARSET },
    { tag: Tag.PatientName, vr: 'PN', value: patientName },
    { tag: Tag.PatientID, vr: 'LO', value: patientId },
    { tag: 0x00120062, vr: 'CS', value: 'YES' },
    { tag: 0x00120063, vr: 'LO', value: codes.map(([, meaning]) => meaning.slice(0, 64)).join('\\') },
    {
      tag: 0x00120064,
      vr: 'SQ',
      value: codes.map(([code, meaning]) => [
        { tag: Tag.CodeValue, vr: 'SH', value: code },
        { tag: Tag.CodingSchemeDesignator, vr: 'SH', value: 'DCM' },
        { tag: Tag.CodeMeaning, vr: 'LO', value: meaning },
      ]),
    },
    { tag: 0x00280303, vr: 'CS', value: dates.kind === 'moved' ? 'MODIFIED' : 'REMOVED' },
    ...(isPixelsSeen ? [{ tag: Tag.BurnedInAnnotation, vr: 'CS', value: 'NO' }] : []),
  ]
}

function encodeElement(dataSet: DataSet, element: DicomElement, work: Work): Uint8Array | undefined {
  const { tag } = element
  const vr = vrToWrite(element)
  if (vr === undefined) {
    work.tell({ tag, before: element.vr ?? '', after: '', isDescriptor: false })
    return undefined
  }
  if (vr === 'SQ') return encodeSequence(dataSet, element, work)
  if (holdsItems(dataSet, element)) return undefined
  const isBytes =
    !numberVrs.has(vr) && !textVrs.has(vr) && !isWritten(vr) && !(vr in forms) && !(vr in dummyTimes) && vr !== 'UI'
  if (isBytes || numberVrs.has(vr)) return encodeBytes(dataSet, element, vr, isBytes, work)
  const before = (work.depth === 0 ? work.corrected.get(tag) : undefined) ?? textOf(dataSet, element, vr)
  const outgoing = outgoingText(tag, vr, before, work)
  const after = outgoing || (work.isSegmentation && neutralText(tag, work.segment)) || outgoing
  const isDescriptor = descriptors.has(tag) && textVrs.has(vr) && before !== ''
  if (before !== (after ?? '') || isDescriptor) work.tell({ tag, before, after: after ?? '', isDescriptor })
  return after === undefined ? undefined : encodeElements([{ tag, vr, value: after }], work.encoding)
}

/**
 * The VR that an attribute is judged and written by, which is that of the dictionary; undefined where the attribute is
 * unknown, private, no part of a data set, or written as something else than it is.
 */
function vrToWrite({ tag, vr }: DicomElement): string | undefined {
  const group = tag >>> 16
  const mayStay = group >= 8 && group < 0x7fe0 && (tag & 0xffff) !== 0 && !isPrivateTag(tag)
  const isDrawing = group >>> 8 === 0x50 || group >>> 8 === 0x60
  const known = mayStay && !isDrawing ? findEntry(tag)?.vr : undefined
  if (tag === Tag.ExtendedOffsetTable || tag === Tag.ExtendedOffsetTableLengths) return 'OV'
  if (!known) return undefined
  const allowed = { xs: ['US', 'SS'], ox: ['OW', 'OB'], lt: ['OW', 'US', 'SS'] }[known] ?? [known]
  if (vr === undefined || vr === 'UN') return allowed[0]
  return allowed.includes(vr) ? vr : undefined
}

function encodeSequence(dataSet: DataSet, element: DicomElement, work: Work): Uint8Array | undefined {
  const { tag } = element
  const action = profileActionOf(tag)?.action
  if (action === 'X') {
    work.tell({ tag, before: '…', after: '', isDescriptor: false })
    return undefined
  }
  const items: Uint8Array[] = []
  if (action !== 'Z') {
    for (const item of eachItem(dataSet, element)) {
      const content = isCodeItem(item) ? encodeCode(item, work) : encodeItems(item, work)
      // the number of a frame is the place of its item
      if (content.length > 0 || perFrame.has(tag)) items.push(encodeItem(content, work.encoding))
    }
  }
  return encodeRaw(tag, 'SQ', concatBytes(items), work.encoding)
}

function encodeCode(item: DataSet, work: Work): Uint8Array {
  const code = publicCode(item)
  const before = textOf(item, item.elements.get(Tag.CodeMeaning), 'LO')
  const after = code ? String(code[0]?.value) : ''
  work.tell({ tag: Tag.CodeMeaning, before, after, isDescriptor: false })
  return code ? encodeElements(code, work.encoding) : new Uint8Array()
}

function encodeItems(item: DataSet, work: Work): Uint8Array {
  const inside = { ...work, depth: work.depth + 1, segment: findNumber(item, Tag.SegmentNumber) ?? work.segment }
  const written = new Map<number, Uint8Array>()
  for (const element of item.elements.values()) {
    const bytes = encodeElement(item, element, inside)
    if (bytes && element.tag !== Tag.SpecificCharacterSet) written.set(element.tag, bytes)
  }
  return concatBytes([...written].toSorted(([a], [b]) => a - b).map(([, bytes]) => bytes))
}

function encodeBytes(
  dataSet: DataSet,
  element: DicomElement,
  vr: string,
  isBytes: boolean,
  work: Work,
): Uint8Array | undefined {
  const { tag } = element
  const action = profileActionOf(tag)?.action
  const isGone = isBytes ? !pictureBytes.has(tag) : action !== undefined
  if (!isGone) return encodeRaw(tag, vr, valueBytes(dataSet, element), work.encoding)
  work.tell({ tag, before: `${element.length}`, after: '', isDescriptor: false })
  if (action === 'D')
    return encodeElements([{ tag, vr, value: isBytes ? new Uint8Array(2) : zeroOf(vr) }], work.encoding)
  return action === 'Z' ? encodeRaw(tag, vr, new Uint8Array(), work.encoding) : undefined
}

function zeroOf(vr: string): WriteValue {
  return vr === 'SV' || vr === 'UV' ? [0n] : 0
}

/** The value that leaves; undefined for an attribute that is removed. */
function outgoingText(tag: number, vr: string, before: string, work: Work): string | undefined {
  const row = profileActionOf(tag)
  if (vr === 'UI') return outgoingUid(before, row?.action, work)
  const texts = splitValues(before, vr)
  if (vr in dummyTimes) {
    const isMoved = work.dates.kind === 'moved' && (row === undefined || row.isMovable)
    const moved = isMoved && work.dates.kind === 'moved' ? movedValue(vr, texts, work.dates.days) : undefined
    return moved ?? withoutValue(row?.action ?? 'X', vr)
  }
  if (textVrs.has(vr)) {
    if (fixedTexts.get(tag)?.test(before)) return before
    const mayStay = descriptors.has(tag) && (row === undefined || row.isDescriptor) && work.texts.has(before)
    if (mayStay && !namesSomebody(before, work)) return before
    return withoutValue(row?.action ?? (shortTextVrs.has(vr) ? 'Z' : 'X'), vr)
  }
  if (row) return withoutValue(row.action, vr)
  if (isWritten(vr)) return outgoingNumbers(vr, texts, work)
  const left = texts.map((text) => (forms[vr]?.test(text) && !isNamed(text, vr, work) ? text : ''))
  return before === '' || left.some((text) => text !== '') ? left.join('\\') : undefined
}

const isWritten = (vr: string): vr is 'DS' | 'IS' => vr === 'DS' || vr === 'IS'

/**
 * Numbers that are written as text, with no more characters than their VR takes: many makers write more. All of them or
 * none leave, since a position without one of its numbers is another. An IS that names the patient leaves nowhere; a DS
 * names nobody, as the picture is drawn with many of them.
 */
function outgoingNumbers(vr: 'DS' | 'IS', texts: readonly string[], { words }: Work): string | undefined {
  const left: string[] = []
  for (const text of texts) {
    const written = vr === 'DS' ? shortDecimal(text) : shortInteger(text)
    if (written === undefined || (vr === 'IS' && words.includes(foldWord(text)))) return undefined
    left.push(written)
  }
  return left.join('\\')
}

const decimal = /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/
const mostDecimal = 16
const mostInteger = 12

/** A decimal in the 16 characters of a DS, as exact as fits; undefined where the text is none. */
function shortDecimal(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return ''
  const number = Number(trimmed)
  if (!decimal.test(trimmed) || !Number.isFinite(number)) return undefined
  if (trimmed.length <= mostDecimal) return trimmed
  for (let digits = 17; digits > 0; digits--) {
    const rounded = Number(number.toPrecision(digits))
    const short = [String(rounded), rounded.toExponential()].find((form) => form.length <= mostDecimal)
    if (short !== undefined) return short
  }
  return undefined
}

/** A whole number in the 12 characters of an IS; undefined where the text is none. */
function shortInteger(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return ''
  const number = Number(trimmed)
  if (!decimal.test(trimmed) || !Number.isInteger(number)) return undefined
  if (/^[-+]?\d+$/.test(trimmed) && trimmed.length <= mostInteger) return trimmed
  const short = String(number)
  return short.length <= mostInteger ? short : undefined
}

/** Whether one of the words of a CS is a name (PRIMARY is not Mary) or holds a number. */
function isNamed(text: string, vr: string, { words }: Work): boolean {
  if (vr !== 'CS') return false
  const folded = foldWord(text)
  const parts = new Set([folded, ...text.split(/[ _]/).map(foldWord)])
  return words.some((word) => parts.has(word) || (/\d{5}/.test(word) && folded.includes(word)))
}

/** Nothing, an empty value or a dummy. */
function withoutValue(action: 'X' | 'Z' | 'D' | 'U', vr: string): string | undefined {
  if (action === 'Z') return ''
  if (action !== 'D') return undefined
  return dummyTimes[vr] ?? { AS: '000Y', CS: 'REMOVED', DS: '0', IS: '0', PN: 'Removed' }[vr] ?? 'Removed'
}

function outgoingUid(before: string, action: string | undefined, work: Work): string | undefined {
  if (action !== undefined && action !== 'U') return action === 'Z' ? '' : undefined
  const uids = before.split('\\').map((uid) => {
    const trimmed = uid.trim()
    return trimmed === '' || (action === undefined && standardUid.test(trimmed)) ? trimmed : work.uidOf(trimmed)
  })
  return uids.join('\\')
}

/** Whether a text holds a word that names somebody: letters and digits alone count, in whatever case. */
function namesSomebody(text: string, { words }: Work): boolean {
  const folded = foldWord(text)
  return words.some((word) => folded.includes(word))
}

/** A text as its letters and digits, without marks and case. */
export function foldWord(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** The longest text that is looked at: longer ones leave in no form. */
const MAX_TEXT_BYTES = MAX_MODELLED_BYTES

function textOf(dataSet: DataSet, element: DicomElement | undefined, vr: string): string {
  if (!element || element.length > MAX_TEXT_BYTES) return ''
  return splitValues(decodeValue(dataSet, element, vr), vr).join('\\')
}
