import type { DataSet } from './data-set.ts'
import { findEntry } from './dictionary.ts'
import type { DicomElement } from './elements.ts'
import type { DicomHeader } from './read.ts'
import { type ElementEdit, isToApply, listDropped, stillHolds } from './splice.ts'
import { Tag } from './tags.ts'
import {
  decodeValue,
  findText,
  holdsItems,
  isBinaryNumber,
  readBinaryNumbers,
  splitValues,
  vrOfElement,
} from './values.ts'

/** One attribute of an image as it is listed. */
export type ListedAttribute = { group: number; element: number; vr: string; vl: number; name: string; value: string }

/** Of an attribute with several values the first one, or all between backslashes; `whole` cuts no long text either. */
export type ValueExtent = 'first' | 'all' | 'whole'

/** Text of one value that is listed; longer ones are cut. */
const MAX_VALUE_CHARS = 4096
const bytesVrs = new Set(['OB', 'OD', 'OF', 'OL', 'OV', 'OW', 'UN'])

/** Which attributes are listed: of these groups, or these tags; all without both. */
export type AttributeChoice = { groups: readonly number[]; tags: readonly number[]; needsName: boolean }

export const everyAttribute: AttributeChoice = { groups: [], tags: [], needsName: false }

export type AttributeListing = { extent: ValueExtent; choice: AttributeChoice }

/**
 * The top-level attributes of an image in front of its pixels, group 0002 first and without its length. Sequences and
 * binary values are named and not shown. A record's edits replace the value where it is still the old one.
 */
export function listAttributes(
  header: DicomHeader,
  edits: readonly ElementEdit[],
  { extent, choice }: AttributeListing = { extent: 'all', choice: everyAttribute },
): { tags: ListedAttribute[] } {
  const sets = header.meta ? [header.meta, header.dataSet] : [header.dataSet]
  const dropped = new Set(
    listDropped(
      header.dataSet,
      edits.filter((edit) => isToApply(header.dataSet, edit)),
    ),
  )
  const tags = sets.flatMap((set) =>
    [...set.elements.values()]
      .filter(({ tag }) => tag !== Tag.FileMetaInformationGroupLength && isChosen(tag, choice) && !dropped.has(tag))
      .map((element) => listAttribute(set, element, edits, extent)),
  )
  return { tags }
}

function isChosen(tag: number, { groups, tags, needsName }: AttributeChoice): boolean {
  const isAll = groups.length === 0 && tags.length === 0
  const isAmong = isAll || groups.includes(tag >>> 16) || tags.includes(tag)
  return isAmong && !(needsName && findEntry(tag) === undefined)
}

function listAttribute(
  set: DataSet,
  element: DicomElement,
  edits: readonly ElementEdit[],
  extent: ValueExtent,
): ListedAttribute {
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

/** The values of some attributes by the names they are asked for; what is empty is left out. */
export function listFields(
  { dataSet }: DicomHeader,
  edits: readonly ElementEdit[],
  fields: readonly (readonly [name: string, tag: number])[],
): Record<string, string> {
  const values = fields.flatMap(([name, tag]) => {
    const held = findText(dataSet, tag)
    const edit = edits.find((one) => one.tag === tag && one.old === (held ?? ''))
    const value = edit ? edit.new : held
    return value ? [[name, value] as const] : []
  })
  return Object.fromEntries(values)
}
