import type { DataSet } from './data-set.ts'
import { findEntry, findVr } from './dictionary.ts'
import type { DicomElement } from './elements.ts'
import { settleVr } from './json.ts'
import { formerPatientOf } from './former-patient.ts'
import type { DicomHeader } from './read.ts'
import { type ElementEdit, isToApply, listDropped, listUnheld } from './splice.ts'
import { Tag } from './tags.ts'
import { decodeValue, findText, isBinaryNumber, readBinaryNumbers, splitValues } from './values.ts'

/** One attribute of an image as it is listed. */
export type ListedAttribute = { group: number; element: number; vr: string; vl: number; name: string; value: string }

/** Of an attribute with several values the first one, or all between backslashes; `whole` cuts no long text either. */
type ValueExtent = 'first' | 'all' | 'whole'

/** Text of one value that is listed; longer ones are cut. */
const MAX_VALUE_CHARS = 4096
const bytesVrs = new Set(['OB', 'OD', 'OF', 'OL', 'OV', 'OW', 'UN'])

/** The attributes to list: of these groups, or these tags; all without both. */
export type AttributeChoice = { groups: readonly number[]; tags: readonly number[]; needsName: boolean }

const everyAttribute: AttributeChoice = { groups: [], tags: [], needsName: false }

export type AttributeListing = {
  extent: ValueExtent
  choice: AttributeChoice
  /** Leaves out whatever may tell of a former patient. */
  withholdsFormer?: boolean
}

/** The elements behind the pixels, and their bytes as they are stored. */
export type Behind = { bytes: Uint8Array; dataSet: DataSet }

/**
 * The top-level attributes of an image but for its pixels, group 0002 first and without its length. Sequences and
 * binary values are named and not shown. A record's edits are made in them as in the file.
 */
export function listAttributes(
  header: DicomHeader,
  edits: readonly ElementEdit[],
  { extent, choice, withholdsFormer }: AttributeListing = { extent: 'all', choice: everyAttribute },
  behind?: Behind,
): { tags: ListedAttribute[] } {
  const { meta, dataSet } = header
  const applied = edits.filter((edit) => isToApply(dataSet, edit))
  const former = withholdsFormer ? formerIn(dataSet, edits, behind) : undefined
  const dropped = new Set([...listDropped(dataSet, applied), ...(former?.top ?? [])])
  const edited = new Map(applied.map((edit) => [edit.tag, edit]))
  const isListed = (tag: number) =>
    tag !== Tag.FileMetaInformationGroupLength && isChosen(tag, choice) && !dropped.has(tag)
  const listAll = (set: DataSet, list: (element: DicomElement) => ListedAttribute) =>
    [...set.elements.values()].filter(({ tag }) => isListed(tag)).map(list)
  const tags = listAll(dataSet, (element) => {
    const edit = edited.get(element.tag)
    return edit ? listEdit(edit, extent) : listAttribute(dataSet, element, extent)
  })
  for (const edit of applied) {
    if (edit.new === '' || dataSet.elements.has(edit.tag) || !isListed(edit.tag)) continue
    const before = tags.findLastIndex(({ group, element }) => group * 0x10000 + element < edit.tag)
    tags.splice(before + 1, 0, listEdit(edit, extent))
  }
  const listed = (set: DataSet | undefined) =>
    set ? listAll(set, (element) => listAttribute(set, element, extent)) : []
  return { tags: [...listed(meta), ...tags, ...listed(behind?.dataSet)] }
}

const formerIn = (dataSet: DataSet, edits: readonly ElementEdit[], behind: Behind | undefined) =>
  formerPatientOf(
    dataSet,
    edits.filter((edit) => isToApply(dataSet, edit)).map(({ tag }) => tag),
    listUnheld(dataSet, edits),
    behind?.bytes,
  )

function isChosen(tag: number, { groups, tags, needsName }: AttributeChoice): boolean {
  const isAll = groups.length === 0 && tags.length === 0
  const isAmong = isAll || groups.includes(tag >>> 16) || tags.includes(tag)
  return isAmong && !(needsName && findEntry(tag) === undefined)
}

function listAttribute(set: DataSet, element: DicomElement, extent: ValueExtent): ListedAttribute {
  const vr = settleVr(set, element)
  const value = vr === 'SQ' || bytesVrs.has(vr) ? '' : textOf(set, element, vr)
  return { ...nameOf(element.tag), vr, vl: element.length, value: cut(value, vr, extent) }
}

function listEdit({ tag, new: text }: ElementEdit, extent: ValueExtent): ListedAttribute {
  const vr = findVr(tag)
  const vl = new TextEncoder().encode(text).length
  return { ...nameOf(tag), vr, vl: vl + (vl % 2), value: cut(text, vr, extent) }
}

function nameOf(tag: number): Pick<ListedAttribute, 'group' | 'element' | 'name'> {
  return { group: tag >>> 16, element: tag & 0xffff, name: findEntry(tag)?.keyword ?? '' }
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
  { withholdsFormer, behind }: { withholdsFormer?: boolean | undefined; behind?: Behind | undefined } = {},
): Record<string, string> {
  const former = withholdsFormer ? formerIn(dataSet, edits, behind) : undefined
  const values = fields.flatMap(([name, tag]) => {
    if (former?.top.has(tag)) return []
    const edit = edits.find((one) => one.tag === tag && isToApply(dataSet, one))
    const value = edit ? edit.new : findText(dataSet, tag)
    return value ? [[name, value] as const] : []
  })
  return Object.fromEntries(values)
}
