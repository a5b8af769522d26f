import { type DicomObject, itemsOf, numbersOf, jsonTextOf } from './dicom-json.ts'

/** Images that an object refers to, by SOP Instance UID: some frames, or every one. */
export type References = ReadonlyMap<string, ReadonlySet<number> | 'all'>

/** @param items of a Referenced Image or Referenced SOP Sequence (PS3.3 10.3) */
export function referencesOf(items: readonly DicomObject[]): References {
  const found = new Map<string, ReadonlySet<number> | 'all'>()
  for (const item of items) {
    const sopUid = jsonTextOf(item, '00081155')
    const frames = numbersOf(item, '00081160')
    const known = found.get(sopUid)
    if (sopUid === '' || known === 'all') continue
    found.set(sopUid, frames.length === 0 ? 'all' : new Set([...(known ?? []), ...frames]))
  }
  return found
}

/** @param frame from 1 */
export function refersTo(references: References, sopUid: string, frame: number): boolean {
  const frames = references.get(sopUid)
  return frames === 'all' || frames?.has(frame) === true
}

/** The series that an object says its references lie in, in its order. Source: PS3.3 C.11.11.1, C.17.2.1. */
export function referencedSeries(object: DicomObject): string[] {
  const evidence = [...itemsOf(object, '0040A375'), object]
  return evidence.flatMap((one) => itemsOf(one, '00081115')).map((series) => jsonTextOf(series, '0020000E'))
}
