import { type Cut, everyElement } from './cuts.ts'
import { cutsInItems, withLength, withoutGroupLengths } from './cuts-inside.ts'
import type { DataSet } from './data-set.ts'
import type { DicomElement } from './elements.ts'
import { Tag } from './tags.ts'
import { eachItem, holdsItems, valueBytes, vrOfElement } from './values.ts'
import { encodeRaw } from './write-part10.ts'

/** New UIDs of images that go to another study, and of the series and the study that they lay in. */
export type NewUids = {
  study: ReadonlyMap<string, string>
  /** Series of which at least one image moves. */
  series: ReadonlyMap<string, string>
  /** Series of which every image moves. */
  wholeSeries: ReadonlySet<string>
  image: ReadonlyMap<string, string>
}

/**
 * Cuts that put new UIDs into the references of a data set, on every level inside sequences. A reference to an image that
 * moves is renamed; one to an image that stays keeps its UIDs, and so do the series and the study that it is listed under,
 * unless an image beside it moves. A series that is named without images is renamed where every image of it moves: else
 * the images that stay may be meant.
 * @param except elements of the top level that are left alone
 * @throws DicomReadError when a sequence cannot be read to its end
 */
export function cutsOfReferences(dataSet: DataSet, uids: NewUids, except: ReadonlySet<number>): Cut[] {
  return everyElement(dataSet).flatMap((element) =>
    except.has(element.tag) || !holdsItems(dataSet, element) ? [] : cutsInSequence(dataSet, element, uids),
  )
}

/** References inside a data set to images, each once. */
export function listReferencedImages(dataSet: DataSet): Set<string> {
  const found = new Set<string>()
  for (const element of everyElement(dataSet)) {
    if (element.tag === Tag.OriginalAttributesSequence || !holdsItems(dataSet, element)) continue
    for (const item of eachItem(dataSet, element, { isStrict: true }))
      for (const uid of referencesOf(item)) found.add(uid)
  }
  return found
}

function referencesOf(item: DataSet): Set<string> {
  const found = listReferencedImages(item)
  const own = item.elements.get(Tag.ReferencedSOPInstanceUID)
  if (own) found.add(uidOf(item, own))
  return found
}

function cutsInSequence(dataSet: DataSet, element: DicomElement, uids: NewUids): Cut[] {
  const inside = cutsInItems(dataSet, element, (item) => {
    const named = cutsOfItem(item, uids)
    return named.length === 0 ? [] : [...named, ...withoutGroupLengths(item)]
  })
  return withLength(dataSet, element, inside)
}

function cutsOfItem(item: DataSet, uids: NewUids): Cut[] {
  const isOfMoved = leadsToMoved(item, uids)
  return everyElement(item).flatMap((element) => {
    const { tag, start, end } = element
    if (holdsItems(item, element)) return cutsInSequence(item, element, uids)
    if (vrOfElement(element) !== 'UI') return []
    const uid = uidOf(item, element)
    const renamed = newUidOf(tag, uid, uids, isOfMoved)
    if (renamed === undefined || renamed === uid) return []
    return [{ tag, start, end, bytes: encodeRaw(tag, 'UI', new TextEncoder().encode(renamed), item.encoding) }]
  })
}

/** Whether an item names an image that moves, or a series alone that moves as a whole; or neither images nor series. */
function leadsToMoved(item: DataSet, uids: NewUids): boolean {
  const [images, series] = [referencesOf(item), seriesAloneOf(item)]
  if (images.size + series.size === 0) return true
  return [...images].some((uid) => uids.image.has(uid)) || !series.isDisjointFrom(uids.wholeSeries)
}

/** The series that an item names on any level without naming images of it. */
function seriesAloneOf(item: DataSet): Set<string> {
  const found = new Set<string>()
  const own = item.elements.get(Tag.SeriesInstanceUID)
  if (own && referencesOf(item).size === 0) found.add(uidOf(item, own))
  for (const element of everyElement(item)) {
    if (!holdsItems(item, element)) continue
    for (const inner of eachItem(item, element, { isStrict: true }))
      for (const uid of seriesAloneOf(inner)) found.add(uid)
  }
  return found
}

function newUidOf(tag: number, uid: string, uids: NewUids, isOfMoved: boolean): string | undefined {
  if (tag === Tag.StudyInstanceUID) return isOfMoved ? uids.study.get(uid) : undefined
  if (tag === Tag.SeriesInstanceUID) return isOfMoved ? uids.series.get(uid) : undefined
  // a study or series may be named as an object too (Referenced Study Sequence)
  return (
    uids.image.get(uid) ??
    (tag === Tag.ReferencedSOPInstanceUID ? (uids.study.get(uid) ?? newUidOfWhole(uid, uids)) : undefined)
  )
}

function newUidOfWhole(uid: string, { series, wholeSeries }: NewUids): string | undefined {
  return wholeSeries.has(uid) ? series.get(uid) : undefined
}

function uidOf(dataSet: DataSet, element: DicomElement): string {
  return new TextDecoder('latin1').decode(valueBytes(dataSet, element)).replace(/[\0 ]+$/, '')
}
