import { type DataSet, walkDataSet } from './data-set.ts'
import {
  type ElementHeader,
  type Encoding,
  findEndOfUndefinedLength,
  hasBlankVr,
  sourceOf,
  UNDEFINED_LENGTH,
} from './elements.ts'
import { type FileStart, findFileStart, findMetaText } from './file-start.ts'
import { FIRST_INFLATE_INPUT_BYTES, MAX_INFLATED_BYTES, READ_GROWTH_FACTOR } from './limits.ts'
import { DicomReadError, NeedMoreBytes } from './read-error.ts'
import { MediaStorageDirectory } from './sop-classes.ts'
import { Tag } from './tags.ts'
import { transferSyntaxOf } from './transfer-syntaxes.ts'
import { isAcceptableUid } from './uid.ts'
import { findText } from './values.ts'

/**
 * Inflates raw DEFLATE as far as the input goes; an input that stops early gives what it holds.
 * @throws DicomReadError too-large-inflated when the output passes `maxBytes`, malformed when it is no DEFLATE
 */
export type Inflate = (input: Uint8Array, maxBytes: number) => Uint8Array

export type ReadOptions = {
  /** Size of the whole file in bytes, when `bytes` may be only its beginning. */
  size?: number
  /** Read on to the pixel data even past large elements that the index does not need. */
  untilPixelData?: boolean
  /** How to open a deflated data set; without it such a file is refused. */
  inflate?: Inflate
}

/** Oddities that a reader got over; none is a reason to refuse. */
type HeaderWarning = 'no-preamble' | 'transfer-syntax-differs' | 'duplicate-elements' | 'uid-not-standard'

export type DicomHeader = {
  /** The syntax that the bytes are in. */
  transferSyntax: string
  /** The syntax that group 0002 names, where it names another. */
  declaredTransferSyntax: string | undefined
  sopClassUid: string
  sopInstanceUid: string
  studyUid: string
  seriesUid: string
  /** Offset of the pixel data element in the file. Undefined when there is none, it was not reached, or the data set is deflated. */
  pixelOffset: number | undefined
  /** The pixel data element where it was reached, also in a deflated data set; counted as `dataSet` counts. */
  pixelElement: ElementHeader | undefined
  /** False when reading stopped at a large element behind everything that the index needs. */
  isComplete: boolean
  /** Offset of the first element behind group 0002 in the file. */
  dataSetStart: number
  meta: DataSet | undefined
  /** Elements in front of the pixel data. For a deflated data set its offsets are those of the inflated bytes. */
  dataSet: DataSet
  warnings: HeaderWarning[]
}

type HeaderRead = { kind: 'header'; header: DicomHeader } | { kind: 'need-more'; atLeastBytes: number }

/** Behind this tag lies nothing that the index holds: documents, waveforms, spectra, pixels. */
const LAST_INDEXED_GROUP = 0x0040

/**
 * Reads what identifies and describes an instance, from the whole file or from its beginning (64 KB is mostly enough;
 * on "need-more" read eight times as much and ask again).
 * Runs in Node and in the browser.
 * @throws DicomReadError for anything that is not a DICOM instance; a media directory has the code "directory"
 */
export function readHeader(bytes: Uint8Array, options: ReadOptions = {}): HeaderRead {
  try {
    return { kind: 'header', header: readInstance(bytes, options) }
  } catch (error) {
    if (error instanceof NeedMoreBytes) return { kind: 'need-more', atLeastBytes: error.atLeastBytes }
    throw error
  }
}

/**
 * Reads a whole file into its elements, without asking for the UIDs of an instance.
 * The pixel data is not among them: it begins at `dataSet.end` of `dataSet.source.bytes`, which are the inflated bytes of a
 * deflated data set.
 * @throws DicomReadError
 */
export function readDataSet(bytes: Uint8Array, options: Pick<ReadOptions, 'inflate'> = {}): Walked & FileStart {
  const start = findFileStart(bytes, bytes.length)
  return { ...start, ...walkFile(bytes, bytes.length, start, { ...options, untilPixelData: true, inflateAll: true }) }
}

function readInstance(bytes: Uint8Array, options: ReadOptions): DicomHeader {
  const size = options.size ?? bytes.length
  const start = findFileStart(bytes, size)
  const { meta } = start
  refuseDirectory(meta)
  const walked = walkFile(bytes, size, start, options)
  const { dataSet } = walked
  if (dataSet.elements.has(Tag.DirectoryRecordSequence)) throw directoryError()
  // The data set rules where group 0002 says otherwise; group 0002 helps out where the data set says nothing.
  const uids = {
    sopClassUid: findText(dataSet, Tag.SOPClassUID) ?? (meta && findMetaText(meta, Tag.MediaStorageSOPClassUID)),
    sopInstanceUid:
      findText(dataSet, Tag.SOPInstanceUID) ?? (meta && findMetaText(meta, Tag.MediaStorageSOPInstanceUID)),
    studyUid: findText(dataSet, Tag.StudyInstanceUID),
    seriesUid: findText(dataSet, Tag.SeriesInstanceUID),
  }
  const warnings: HeaderWarning[] = []
  if (!meta || start.dataSetStart < 132) warnings.push('no-preamble')
  if (start.declaredTransferSyntax) warnings.push('transfer-syntax-differs')
  if (dataSet.duplicates.length > 0) warnings.push('duplicate-elements')
  if (Object.values(uids).includes(undefined)) refuseDisorder(walked)
  const required = {
    sopClassUid: requireUid(uids.sopClassUid, 'SOP Class UID'),
    sopInstanceUid: requireUid(uids.sopInstanceUid, 'SOP Instance UID'),
    studyUid: requireUid(uids.studyUid, 'Study Instance UID'),
    seriesUid: requireUid(uids.seriesUid, 'Series Instance UID'),
  }
  if (Object.values(required).some((uid) => !/^[0-9.]{1,64}$/.test(uid))) warnings.push('uid-not-standard')
  return {
    transferSyntax: start.transferSyntax,
    declaredTransferSyntax: start.declaredTransferSyntax,
    ...required,
    ...walked,
    dataSetStart: start.dataSetStart,
    meta,
    warnings,
  }
}

function refuseDirectory(meta: DataSet | undefined): void {
  if (meta && findMetaText(meta, Tag.MediaStorageSOPClassUID) === MediaStorageDirectory) throw directoryError()
}

function directoryError(): DicomReadError {
  return new DicomReadError('directory', 'The file is the directory of a disc (DICOMDIR), not an image')
}

/** Elements out of order may hide the UIDs behind the pixel data; so does no real writer, and no peer would take the file. */
function refuseDisorder({ dataSet, pixelOffset }: Walked): void {
  const tags = [...dataSet.elements.keys()]
  const isAscending = tags.every((tag, index) => index === 0 || tag > (tags[index - 1] ?? 0))
  if (isAscending && (pixelOffset === undefined || tags.length > 0)) return
  throw new DicomReadError('malformed', 'The elements are not in ascending order')
}

function requireUid(uid: string | undefined, name: string): string {
  if (!uid) throw new DicomReadError('missing-uid', `The file has no ${name}`)
  if (!isAcceptableUid(uid)) throw new DicomReadError('unusable-uid', `The ${name} cannot be used as an identifier`)
  return uid
}

/** The elements in front of the pixel data. */
type Walked = Pick<DicomHeader, 'dataSet' | 'pixelOffset' | 'pixelElement' | 'isComplete'>

type WalkFileOptions = ReadOptions & { inflateAll?: boolean }

function walkFile(bytes: Uint8Array, size: number, start: FileStart, options: WalkFileOptions): Walked {
  const syntax = transferSyntaxOf(start.transferSyntax)
  const encoding: Encoding = { isExplicit: syntax.isExplicit, isLittleEndian: syntax.isLittleEndian }
  if (!syntax.isDeflated)
    return walkBytes(bytes, size, start.dataSetStart, settleExplicit(bytes, size, start, encoding), options)
  return walkDeflated(bytes, size, start, encoding, options)
}

/** A compressed syntax over a data set that is not explicit after all: the first element shows it. */
function settleExplicit(bytes: Uint8Array, size: number, start: FileStart, encoding: Encoding): Encoding {
  const at = start.dataSetStart + 4
  const isCapital = (code: number | undefined) => code !== undefined && code >= 0x41 && code <= 0x5a
  if (!encoding.isExplicit || (isCapital(bytes[at]) && isCapital(bytes[at + 1]))) return encoding
  const isExplicit = hasBlankVr(sourceOf(bytes, encoding, bytes.length < size), start.dataSetStart, size)
  return { ...encoding, isExplicit }
}

function walkBytes(bytes: Uint8Array, size: number, start: number, encoding: Encoding, options: ReadOptions): Walked {
  const source = sourceOf(bytes, encoding, bytes.length < size)
  let stop: { header: ElementHeader; isPixelData: boolean } | undefined
  const stopBefore = (header: ElementHeader, isValueAtHand: boolean): boolean => {
    const isPixelData = isPixelDataTag(header.tag)
    const isFarAndUnneeded = !isValueAtHand && !options.untilPixelData && header.tag >>> 16 > LAST_INDEXED_GROUP
    if (isPixelData || isFarAndUnneeded) stop = { header, isPixelData }
    return stop !== undefined
  }
  const dataSet = walkDataSet(source, encoding, { start, limit: size, stopBefore })
  if (!stop) return { dataSet, pixelOffset: undefined, pixelElement: undefined, isComplete: true }
  const { header, isPixelData } = stop
  if (header.length === UNDEFINED_LENGTH) {
    // Whether the fragments are all there can be told only with the whole file; for a stream see EndCheck.
    if (isPixelData && !source.isPrefix)
      findEndOfUndefinedLength(source, { ...header, vr: 'OB' }, size, encoding.isExplicit)
  } else if (header.valueStart + header.length > size) {
    throw new DicomReadError(
      'truncated',
      isPixelData ? 'The file ends inside its pixel data' : 'The file ends inside an element',
    )
  }
  return {
    dataSet,
    pixelOffset: isPixelData ? dataSet.end : undefined,
    pixelElement: isPixelData ? header : undefined,
    isComplete: isPixelData,
  }
}

export function isPixelDataTag(tag: number): boolean {
  return tag === Tag.PixelData || tag === Tag.FloatPixelData || tag === Tag.DoubleFloatPixelData
}

function walkDeflated(
  bytes: Uint8Array,
  size: number,
  start: FileStart,
  encoding: Encoding,
  options: WalkFileOptions,
): Walked {
  const { inflate } = options
  if (!inflate) throw new DicomReadError('cannot-inflate', 'The data set is deflated and cannot be opened here')
  const compressed = bytes.subarray(start.dataSetStart)
  const firstInput = options.inflateAll ? compressed.length : FIRST_INFLATE_INPUT_BYTES
  for (let inputBytes = firstInput; ; inputBytes *= READ_GROWTH_FACTOR) {
    const isAllAtHand = inputBytes >= compressed.length
    const inflated = inflate(compressed.subarray(0, inputBytes), MAX_INFLATED_BYTES)
    const isWhole = isAllAtHand && bytes.length === size
    try {
      const inflatedSize = isWhole ? inflated.length : Number.MAX_SAFE_INTEGER
      const walked = walkBytes(inflated, inflatedSize, 0, encoding, options)
      return { ...walked, pixelOffset: undefined }
    } catch (error) {
      if (!(error instanceof NeedMoreBytes)) throw error
      if (isAllAtHand) throw new NeedMoreBytes(Math.min(size, bytes.length * READ_GROWTH_FACTOR))
    }
  }
}
