import type { DataSet } from '../data-set.ts'
import { type DicomHeader, type Inflate, readDataSet } from '../read.ts'
import { DicomReadError } from '../read-error.ts'
import { type ElementEdit, isToApply } from '../splice.ts'
import { Tag } from '../tags.ts'
import { ExplicitLittleEndian, transferSyntaxOf } from '../transfer-syntaxes.ts'
import { findNumber, findText } from '../values.ts'
import { concatBytes, writeMeta } from '../write-part10.ts'
import { endOfElement } from '../elements.ts'
import { type AttributeFate, type Deidentification, deidentifyHeader } from './deidentify-header.ts'

/** A file without its names: a new beginning, and the pixel data, which follow from `pixelOffset` of the stored file. */
type DeidentifiedStart = {
  prefix: Uint8Array
  /** Undefined where the prefix is the whole file, which a deflated one becomes. */
  pixelOffset: number | undefined
}

/**
 * A file as a recipient without a right to names may have it. A deflated file is written inflated.
 * @param bytes the file up to its pixel data at least; whole when deflated
 * @param edits corrections of the record, made where the file still holds the old value
 * @throws DicomReadError where the file cannot be read, or a UID of it would leave
 */
export function deidentifyFile(
  bytes: Uint8Array,
  header: DicomHeader,
  how: Deidentification,
  edits: readonly ElementEdit[],
  { inflate, tell }: { inflate?: Inflate; tell?: (fate: AttributeFate) => void } = {},
): DeidentifiedStart {
  const { isDeflated } = transferSyntaxOf(header.transferSyntax)
  if (!isDeflated && !header.isComplete) throw new RangeError('The header was not read up to the pixel data')
  const dataSet = isDeflated ? readDataSet(bytes, inflate ? { inflate } : {}).dataSet : header.dataSet
  const applied = edits.filter((edit) => isToApply(dataSet, edit))
  const corrected = new Map(applied.map((edit) => [edit.tag, edit.new]))
  const written = deidentifyHeader(dataSet, dataSet.encoding, how, corrected, tell)
  const syntax = isDeflated ? ExplicitLittleEndian : header.transferSyntax
  const prefix = concatBytes([writeMeta(header.sopClassUid, how.uidOf(header.sopInstanceUid), syntax), written])
  demandNew(prefix, header, how)
  if (!isDeflated) return { prefix, pixelOffset: header.pixelOffset }
  const { source, encoding, end } = dataSet
  const pixels = source.bytes.subarray(end, endOfElement(source, encoding, end))
  return { prefix: concatBytes([prefix, pixels]), pixelOffset: undefined }
}

/** Reads again a header that was written: the same picture under other UIDs, and none of the old ones anywhere. */
function demandNew(prefix: Uint8Array, header: DicomHeader, { uidOf }: Deidentification): void {
  const { dataSet } = readDataSet(prefix)
  const old = [header.sopInstanceUid, header.seriesUid, header.studyUid]
  const text = Buffer.from(prefix.buffer, prefix.byteOffset, prefix.byteLength).toString('latin1')
  const isWhole =
    findText(dataSet, Tag.SOPInstanceUID) === uidOf(header.sopInstanceUid) &&
    findText(dataSet, Tag.StudyInstanceUID) === uidOf(header.studyUid) &&
    findText(dataSet, Tag.SeriesInstanceUID) === uidOf(header.seriesUid)
  if (!isWhole) throw new DicomReadError('malformed', 'The file is too damaged to be written without names')
  // a UID of few characters stands in others by chance
  if (old.some((uid) => uid.length >= 12 && text.includes(uid))) {
    throw new DicomReadError('malformed', 'A UID of the original stands where it cannot be replaced')
  }
}

/** Whether drawings stand in unused bits of the pixels (PS3.5 §8.1.2, retired), where no removal of overlays reaches them. */
export function hasDrawingsInPixels(dataSet: DataSet): boolean {
  const { elements } = dataSet
  for (const tag of elements.keys()) {
    if (tag >>> 24 !== 0x60 || (tag & 0xffff) !== 0x0102) continue
    const dataTag = ((tag & 0xffff0000) | 0x3000) >>> 0
    if ((findNumber(dataSet, tag) ?? 0) > 0 || !elements.has(dataTag)) return true
  }
  return false
}
