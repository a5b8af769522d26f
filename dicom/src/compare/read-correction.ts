import type { DataSet } from '../data-set.ts'
import { correctionSignature } from '../node/correct-file.ts'
import { Tag } from '../tags.ts'
import { findItems, findText } from '../values.ts'
import { compareDataSets, Differences } from './compare-values.ts'

/**
 * The last correction that a data set names as ours, which `before` does not name: the values as they were, those that were
 * empty or absent only where `before` has them, and the tags of all.
 */
export function readCorrection(
  corrected: DataSet,
  before: DataSet,
): { original: DataSet; tags: ReadonlySet<number> } | undefined {
  const [items = [], earlier = []] = [corrected, before].map((one) => findItems(one, Tag.OriginalAttributesSequence))
  const last = items.at(-1)
  if (!last || items.length !== earlier.length + 1) return undefined
  const differences = new Differences()
  for (const [at, item] of earlier.entries()) compareDataSets(items[at] ?? last, item, differences)
  if (differences.count > 0) return undefined
  const said = (tag: number) => findText(last, tag)
  const isOurs =
    said(Tag.ModifyingSystem) === correctionSignature.modifyingSystem &&
    said(Tag.ReasonForTheAttributeModification) === correctionSignature.reason
  const [original, ...more] = findItems(last, Tag.ModifiedAttributesSequence)
  if (!isOurs || !original || more.length > 0) return undefined
  const tags = new Set(original.elements.keys())
  const isKnown = (tag: number) => before.elements.has(tag) || (original.elements.get(tag)?.length ?? 0) > 0
  return { original: ofTags(original, new Set([...tags].filter(isKnown))), tags }
}

/** A data set with these of its attributes. */
export function ofTags(dataSet: DataSet, tags: ReadonlySet<number>): DataSet {
  return { ...dataSet, elements: new Map([...dataSet.elements].filter(([tag]) => tags.has(tag))) }
}
