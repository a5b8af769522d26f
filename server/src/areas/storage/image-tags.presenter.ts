import type { DataSet } from '@hilum/dicom/data-set'
import { findEntry } from '@hilum/dicom/dictionary'
import type { DicomElement } from '@hilum/dicom/elements'
import type { DicomHeader } from '@hilum/dicom/read'
import { type ElementEdit, stillHolds } from '@hilum/dicom/splice'
import { Tag } from '@hilum/dicom/tags'
import {
  decodeValue,
  holdsItems,
  isBinaryNumber,
  readBinaryNumbers,
  splitValues,
  vrOfElement,
} from '@hilum/dicom/values'

export type ImageTag = { group: number; element: number; vr: string; vl: number; name: string; value: string }

/** Of an attribute with several values the first one, or all between backslashes; `whole` cuts no long text either. */
export type ValueExtent = 'first' | 'all' | 'whole'

/** Text of one value that is listed; longer ones are cut. */
const MAX_VALUE_CHARS = 4096
const bytesVrs = new Set(['OB', 'OD', 'OF', 'OL', 'OV', 'OW', 'UN'])

/**
 * The top-level attributes of an image in front of its pixels, group 0002 first and without its length. Sequences and
 * binary values are named and not shown. A record's edits replace the value where it is still the old one.
 */
export function presentTags(
  header: DicomHeader,
  edits: readonly ElementEdit[],
  extent: ValueExtent = 'all',
): { tags: ImageTag[] } {
  const sets = header.meta ? [header.meta, header.dataSet] : [header.dataSet]
  const tags = sets.flatMap((set) =>
    [...set.elements.values()]
      .filter((element) => element.tag !== Tag.FileMetaInformationGroupLength)
      .map((element) => presentTag(set, element, edits, extent)),
  )
  return { tags }
}

function presentTag(set: DataSet, element: DicomElement, edits: readonly ElementEdit[], extent: ValueExtent): ImageTag {
  const vr = holdsItems(set, element) ? 'SQ' : vrOfElement(element)
  const value = vr === 'SQ' || bytesVrs.has(vr) ? '' : textOf(set, element, vr)
  const edit = edits.find(
    (one) => one.tag === element.tag && (one.follows ? stillHolds(set, one.follows) : one.old === value),
  )
  return {
    group: element.tag >>> 16,
    element: element.tag & 0xffff,
    vr,
    vl: element.length,
    name: findEntry(element.tag)?.keyword ?? '',
    value: cut(edit ? edit.new : value, vr, extent),
  }
}

function cut(value: string, vr: string, extent: ValueExtent): string {
  if (extent === 'whole') return value
  return (extent === 'first' ? (splitValues(value, vr)[0] ?? '') : value).slice(0, MAX_VALUE_CHARS)
}

function textOf(set: DataSet, element: DicomElement, vr: string): string {
  if (isBinaryNumber(vr)) return readBinaryNumbers(set, element, vr).join('\\')
  return splitValues(decodeValue(set, element, vr), vr).join('\\')
}
