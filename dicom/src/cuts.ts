import type { DataSet } from './data-set.ts'
import type { DicomElement } from './elements.ts'
import { concatBytes } from './write-part10.ts'

/** One stretch of bytes put in place of another. `tag` orders what is put into one place. */
export type Cut = { tag: number; start: number; end: number; bytes: Uint8Array }

/** The bytes from `start` to `end` with the cuts made in them. */
export function applyCuts(bytes: Uint8Array, start: number, end: number, cuts: readonly Cut[]): Uint8Array {
  // Several absent elements may go to one place: in the order of their tags, and in front of one that is replaced there.
  const ordered = [...cuts].sort((a, b) => a.start - b.start || a.end - b.end || a.tag - b.tag)
  const parts: Uint8Array[] = []
  let offset = start
  for (const cut of ordered) {
    parts.push(bytes.subarray(offset, cut.start), cut.bytes)
    offset = cut.end
  }
  parts.push(bytes.subarray(offset, end))
  return concatBytes(parts)
}

/** Bytes that cuts add; fewer than none when they take away. */
export function growthOf(cuts: readonly Cut[]): number {
  return cuts.reduce((sum, cut) => sum + cut.bytes.length - (cut.end - cut.start), 0)
}

/** An element taken away. */
export function cutOut({ tag, start, end }: DicomElement): Cut {
  return { tag, start, end, bytes: new Uint8Array() }
}

/** Every element of a data set, further occurrences too. */
export function everyElement(dataSet: DataSet): DicomElement[] {
  return dataSet.duplicates.length === 0
    ? [...dataSet.elements.values()]
    : [...dataSet.elements.values(), ...dataSet.duplicates]
}
