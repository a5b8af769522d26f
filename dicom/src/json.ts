import type { DataSet } from './data-set.ts'
import { findVr } from './dictionary.ts'
import { type DicomElement, isKnownVr } from './elements.ts'
import { MAX_INLINE_BINARY_BYTES, MAX_MODELLED_BYTES, MAX_SEQUENCE_DEPTH, MAX_SPELT_OUT_BYTES } from './limits.ts'
import { DicomReadError } from './read-error.ts'
import { isPrivateTag, Tag, tagToHex } from './tags.ts'
import {
  decodeValue,
  eachItem,
  findNumber,
  holdsItems,
  isBinaryNumber,
  readBinaryNumbers,
  readItems,
  splitValues,
  valueBytes,
} from './values.ts'

export type JsonPersonName = { Alphabetic?: string; Ideographic?: string; Phonetic?: string }
export type JsonValue = string | number | null | JsonPersonName | DicomJson

/** One attribute of the DICOM JSON model. */
export type JsonAttribute = { vr: string; Value?: JsonValue[]; BulkDataURI?: string; InlineBinary?: string }

/** A data set in the DICOM JSON model, its tags as eight hex digits in ascending order. Source: PS3.18 Annex F. */
export type DicomJson = Record<string, JsonAttribute>

/** A long binary value: `path` names it by tags and item numbers (from 0), e.g. "00420011" or "52009229/0/00091001". */
export type BulkDataValue = { path: string; element: DicomElement; dataSet: DataSet }

type JsonOptions = {
  /** The address of a long binary value; without one (or when it gives undefined) only its VR is told. */
  bulkDataUri?: (bulkData: BulkDataValue) => string | undefined
  /** Binary values up to this many bytes are carried inline. */
  maxInlineBytes?: number
}

/**
 * A data set as DICOM JSON. Malformed values become null or are left out; one bad element never costs the others.
 * Pixel data is not in a data set that readHeader gave: add its attribute with its BulkDataURI.
 */
export function dataSetToJson(dataSet: DataSet, options: JsonOptions = {}): DicomJson {
  refuseTooLarge(dataSet)
  return toJson(dataSet, options, '', 0)
}

/**
 * The same as text, one for each attribute: nothing is held of items but their text, however many there are.
 */
export function dataSetToJsonTexts(dataSet: DataSet, options: JsonOptions = {}): Map<string, string> {
  refuseTooLarge(dataSet)
  return toTexts(dataSet, options, '', 0)
}

/** The text of an object from those of its attributes. */
export function joinJsonTexts(attributes: ReadonlyMap<string, string>): string {
  return `{${Array.from(attributes, ([hex, text]) => `"${hex}":${text}`).join(',')}}`
}

function refuseTooLarge(dataSet: DataSet): void {
  if (dataSet.end > MAX_MODELLED_BYTES)
    throw new DicomReadError('too-large', 'The attributes of the image are too large')
}

function toTexts(dataSet: DataSet, options: JsonOptions, path: string, depth: number): Map<string, string> {
  return new Map(
    shownElements(dataSet).map((element) => {
      const hex = tagToHex(element.tag)
      return [hex, attributeText(dataSet, element, options, path + hex, depth)]
    }),
  )
}

function attributeText(
  dataSet: DataSet,
  element: DicomElement,
  options: JsonOptions,
  path: string,
  depth: number,
): string {
  const vr = settleVr(dataSet, element)
  if (vr !== 'SQ') return JSON.stringify(presentSafely(dataSet, element, vr, options, path, depth))
  try {
    const items: string[] = []
    if (depth < MAX_SEQUENCE_DEPTH) {
      for (const item of eachItem(dataSet, element))
        items.push(joinJsonTexts(toTexts(item, options, `${path}/${items.length}/`, depth + 1)))
    }
    return items.length > 0 ? `{"vr":"SQ","Value":[${items.join(',')}]}` : '{"vr":"SQ"}'
  } catch (error) {
    if (isOfElement(error)) return '{"vr":"SQ"}'
    throw error
  }
}

/** Errors that cost one element its value, and the others nothing. */
function isOfElement(error: unknown): boolean {
  return error instanceof DicomReadError || error instanceof RangeError
}

function toJson(dataSet: DataSet, options: JsonOptions, path: string, depth: number): DicomJson {
  const json: DicomJson = {}
  for (const element of shownElements(dataSet)) {
    const hex = tagToHex(element.tag)
    json[hex] = presentSafely(dataSet, element, settleVr(dataSet, element), options, path + hex, depth)
  }
  return json
}

function shownElements(dataSet: DataSet): DicomElement[] {
  return [...dataSet.elements.values()].filter(({ tag }) => isShown(tag)).sort((a, b) => a.tag - b.tag)
}

/** Group lengths, file meta and command elements are not part of the model (PS3.18 F.2). */
function isShown(tag: number): boolean {
  const group = tag >>> 16
  return group > 2 && (tag & 0xffff) !== 0
}

function presentSafely(
  dataSet: DataSet,
  element: DicomElement,
  vr: string,
  options: JsonOptions,
  path: string,
  depth: number,
): JsonAttribute {
  try {
    return present(dataSet, element, vr, options, path, depth)
  } catch (error) {
    if (isOfElement(error)) return { vr }
    throw error
  }
}

function present(
  dataSet: DataSet,
  element: DicomElement,
  vr: string,
  options: JsonOptions,
  path: string,
  depth: number,
): JsonAttribute {
  if (vr === 'SQ') {
    if (depth >= MAX_SEQUENCE_DEPTH) return { vr }
    const items = readItems(dataSet, element).map((item, index) =>
      toJson(item, options, `${path}/${index}/`, depth + 1),
    )
    return items.length > 0 ? { vr, Value: items } : { vr }
  }
  if (element.length === 0) return { vr }
  const address = () => {
    const uri = options.bulkDataUri?.({ path, element, dataSet })
    return uri === undefined ? { vr } : { vr, BulkDataURI: uri }
  }
  if (element.length > MAX_SPELT_OUT_BYTES && !alwaysSpeltOut.has(vr)) return address()
  if (isBinaryNumber(vr))
    return withValues(
      vr,
      readBinaryNumbers(dataSet, element, vr).map((value) => jsonNumber(value, vr)),
    )
  if (binaryVrs.has(vr)) {
    if (element.length <= (options.maxInlineBytes ?? MAX_INLINE_BINARY_BYTES)) {
      return { vr, InlineBinary: toBase64(littleEndianBytes(dataSet, element, vr)) }
    }
    return address()
  }
  if (element.length > MAX_SPELT_OUT_BYTES) return { vr }
  const texts = splitValues(decodeValue(dataSet, element, vr), vr)
  return withValues(
    vr,
    texts.map((text) => jsonText(text, vr)),
  )
}

function withValues(vr: string, values: JsonValue[]): JsonAttribute {
  return values.some((value) => value !== null) ? { vr, Value: values } : { vr }
}

const binaryVrs = new Set(['OB', 'OD', 'OF', 'OL', 'OV', 'OW', 'UN'])
/** Values of which the model knows no address (PS3.18 F.2.2). */
const alwaysSpeltOut = new Set('AE AS AT CS DA DT LO PN SH TM UI UR'.split(' '))

/** The VR that an element is told by: the written one where it is known, else that of the dictionary. */
export function settleVr(dataSet: DataSet, element: DicomElement): string {
  const { vr, tag } = element
  if (vr !== undefined && vr !== 'UN') return isKnownVr(vr) ? vr : 'UN'
  if (holdsItems(dataSet, element)) return 'SQ'
  if (isPrivateTag(tag)) return isPrivateCreator(tag) ? 'LO' : 'UN'
  const wanted = findVr(tag)
  if (wanted === 'ox') return 'OW'
  if (wanted === 'xs' || wanted === 'lt') return findNumber(dataSet, Tag.PixelRepresentation) === 1 ? 'SS' : 'US'
  if (wanted === 'SQ') return element.length === 0 ? 'SQ' : 'UN'
  return isKnownVr(wanted) ? wanted : 'UN'
}

function isPrivateCreator(tag: number): boolean {
  const element = tag & 0xffff
  return element >= 0x10 && element <= 0xff
}

function jsonNumber(value: number | bigint, vr: string): JsonValue {
  if (vr === 'AT') return tagToHex(Number(value))
  // JSON's numbers are exact up to 2^53; beyond that the model writes a string (PS3.18 F.2.4).
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString()
  return Number.isFinite(value) ? value : null
}

function jsonText(text: string, vr: string): JsonValue {
  if (text === '') return null
  if (vr === 'PN') return jsonPersonName(text)
  if (vr !== 'DS' && vr !== 'IS') return text
  const number = Number(text)
  return Number.isFinite(number) ? number : null
}

function jsonPersonName(text: string): JsonPersonName | null {
  const [alphabetic, ideographic, phonetic] = text.split('=').map((group) => group.trim())
  const name: JsonPersonName = {}
  if (alphabetic) name.Alphabetic = alphabetic
  if (ideographic) name.Ideographic = ideographic
  if (phonetic) name.Phonetic = phonetic
  return Object.keys(name).length > 0 ? name : null
}

const wordSizes: Record<string, number> = { OW: 2, OF: 4, OL: 4, OD: 8, OV: 8 }

/** Binary values are little endian in the model, whatever the file is (PS3.18 F.2.7). */
function littleEndianBytes(dataSet: DataSet, element: DicomElement, vr: string): Uint8Array {
  const bytes = valueBytes(dataSet, element)
  const size = wordSizes[vr]
  if (dataSet.source.encoding.isLittleEndian || size === undefined) return bytes
  const swapped = bytes.slice()
  for (let offset = 0; offset + size <= swapped.length; offset += size)
    swapped.subarray(offset, offset + size).reverse()
  return swapped
}

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let offset = 0; offset < bytes.length; offset += 0x2000) {
    text += String.fromCharCode(...bytes.subarray(offset, offset + 0x2000))
  }
  return btoa(text)
}
