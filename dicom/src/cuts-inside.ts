import { type Cut, cutOut, everyElement, growthOf } from './cuts.ts'
import type { DataSet } from './data-set.ts'
import { type DicomElement, UNDEFINED_LENGTH } from './elements.ts'
import { eachItem } from './values.ts'
import { encodeRaw } from './write-part10.ts'

/**
 * Cuts inside the items of a sequence, with the lengths of the items set right.
 * @throws DicomReadError when the sequence cannot be read to its end
 */
export function cutsInItems(dataSet: DataSet, element: DicomElement, cutsOf: (item: DataSet) => readonly Cut[]): Cut[] {
  const cuts: Cut[] = []
  for (const item of eachItem(dataSet, element, { isStrict: true })) {
    const inside = cutsOf(item)
    const growth = growthOf(inside)
    const length = item.source.view.getUint32(item.start - 4, item.encoding.isLittleEndian)
    if (growth !== 0 && length !== UNDEFINED_LENGTH) cuts.push(lengthCut(item, length + growth))
    cuts.push(...inside)
  }
  return cuts
}

/** The cuts inside a sequence, with its own length set right. */
export function withLength(dataSet: DataSet, element: DicomElement, inside: readonly Cut[]): Cut[] {
  const growth = growthOf(inside)
  if (growth === 0 || element.hasUndefinedLength) return [...inside]
  return [headerCut(dataSet, element, element.length + growth), ...inside]
}

/** Lengths of groups taken away, which cuts make wrong. Group lengths are retired, and not needed (PS3.5 §7.2). */
export function withoutGroupLengths(dataSet: DataSet): Cut[] {
  return everyElement(dataSet)
    .filter(({ tag }) => (tag & 0xffff) === 0)
    .map(cutOut)
}

/** The header of a sequence with another length; one without a VR gets it. */
function headerCut({ encoding }: DataSet, { tag, vr, start, valueStart }: DicomElement, length: number): Cut {
  const bytes = encodeRaw(tag, vr === 'UN' ? 'UN' : 'SQ', new Uint8Array(), encoding)
  new DataView(bytes.buffer).setUint32(bytes.length - 4, length, encoding.isLittleEndian)
  return { tag, start, end: valueStart, bytes }
}

/** The length of an item, in front of its first element. */
function lengthCut({ start, encoding }: DataSet, length: number): Cut {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, length, encoding.isLittleEndian)
  return { tag: 0, start: start - 4, end: start, bytes }
}
