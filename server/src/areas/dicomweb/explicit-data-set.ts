import type { DataSet } from '@hilum/dicom/data-set'
import { findVr } from '@hilum/dicom/dictionary'
import type { DicomElement, Encoding } from '@hilum/dicom/elements'
import { isPrivateTag, Tag } from '@hilum/dicom/tags'
import { findNumber, holdsItems, readItems, valueBytes } from '@hilum/dicom/values'
import { concatBytes, encodeItem, encodeRaw } from '@hilum/dicom/write-part10'

const explicitLittle: Encoding = { isExplicit: true, isLittleEndian: true }

/**
 * The elements of a data set in Explicit VR Little Endian. Elements that are written so already are taken byte for byte.
 * @param replaced elements, encoded already, in the place of those with their tag; undefined leaves one out
 */
export function encodeExplicit(
  dataSet: DataSet,
  replaced: ReadonlyMap<number, Uint8Array | undefined> = new Map(),
): Uint8Array {
  const encoded = new Map<number, Uint8Array>()
  for (const element of dataSet.elements.values()) {
    const isGroupLength = (element.tag & 0xffff) === 0
    if (!isGroupLength && !replaced.has(element.tag)) encoded.set(element.tag, encodeElement(dataSet, element))
  }
  for (const [tag, bytes] of replaced) if (bytes) encoded.set(tag, bytes)
  return concatBytes([...encoded].sort(([a], [b]) => a - b).map(([, bytes]) => bytes))
}

function encodeElement(dataSet: DataSet, element: DicomElement): Uint8Array {
  const { bytes, encoding } = dataSet.source
  const isAlready = dataSet.encoding.isExplicit && encoding.isLittleEndian && element.vr !== undefined
  if (isAlready) return bytes.subarray(element.start, element.end)
  const vr = settleVr(dataSet, element)
  if (vr === 'SQ') {
    const items = readItems(dataSet, element).map((item) => encodeItem(encodeExplicit(item), explicitLittle))
    return encodeRaw(element.tag, vr, concatBytes(items), explicitLittle)
  }
  const value = encoding.isLittleEndian ? valueBytes(dataSet, element) : swapped(valueBytes(dataSet, element), vr)
  return encodeRaw(element.tag, fits(vr, value) ? vr : 'UN', value, explicitLittle)
}

/** Most VRs write their length in two bytes; a longer value becomes UN (PS3.5 §6.2.2). */
function fits(vr: string, value: Uint8Array): boolean {
  return value.length <= 0xfffe || longVrs.has(vr)
}

const longVrs = new Set(['OB', 'OD', 'OF', 'OL', 'OV', 'OW', 'SV', 'UC', 'UN', 'UR', 'UT', 'UV'])
const knownVrs = new Set([
  ...longVrs,
  ...'AE AS AT CS DA DS DT FD FL IS LO LT PN SH SL SQ SS ST TM UI UL US'.split(' '),
])

function settleVr(dataSet: DataSet, element: DicomElement): string {
  const { tag, vr, length } = element
  if (vr !== undefined && vr !== 'UN' && knownVrs.has(vr)) return vr
  if (holdsItems(dataSet, element)) return 'SQ'
  if (isPrivateTag(tag)) return (tag & 0xffff) >= 0x10 && (tag & 0xffff) <= 0xff ? 'LO' : 'UN'
  const wanted = findVr(tag)
  if (wanted === 'ox') return 'OW'
  if (wanted === 'lt' && length > 2) return 'OW'
  if (wanted === 'xs' || wanted === 'lt') return findNumber(dataSet, Tag.PixelRepresentation) === 1 ? 'SS' : 'US'
  if (wanted === 'SQ') return length === 0 ? 'SQ' : 'UN'
  return knownVrs.has(wanted) ? wanted : 'UN'
}

const words = (vrs: string, bytes: number) => vrs.split(' ').map((vr) => [vr, bytes] as const)
const wordSizes = new Map([...words('AT OW SS US', 2), ...words('FL OF OL SL UL', 4), ...words('FD OD OV SV UV', 8)])

/** Big endian words turned round. */
export function swapped(bytes: Uint8Array, vr: string): Uint8Array {
  const size = wordSizes.get(vr)
  if (size === undefined) return bytes
  const turned = bytes.slice()
  for (let offset = 0; offset + size <= turned.length; offset += size) turned.subarray(offset, offset + size).reverse()
  return turned
}
