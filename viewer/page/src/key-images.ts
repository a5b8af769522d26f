import { type DicomObject, itemsOf, jsonTextOf } from './dicom-json.ts'
import { type References, referencedSeries, referencesOf } from './references.ts'

export type KeyNote = { title: string; text: string; references: References; seriesUids: string[] }

const KEY_OBJECT = '1.2.840.10008.5.1.4.1.1.88.59'
/** Notes that reject images, or keep them for other reasons than to be looked at. Source: PS3.16 CID 7010. */
const OTHER_TITLES = new Set(['113001', '113037', '113038', '113039'])

/** Notes that mark key images. Source: PS3.3 A.35.4. */
export function readKeyNotes(instances: readonly DicomObject[]): KeyNote[] {
  return instances.flatMap((instance) => {
    const [name] = itemsOf(instance, '0040A043')
    if (jsonTextOf(instance, '00080016') !== KEY_OBJECT || OTHER_TITLES.has(jsonTextOf(name ?? {}, '00080100')))
      return []
    const content = listContent(instance)
    return [
      {
        title: jsonTextOf(name ?? {}, '00080104'),
        text: content.map((item) => jsonTextOf(item, '0040A160')).find((text) => text !== '') ?? '',
        references: referencesOf(content.flatMap((item) => itemsOf(item, '00081199'))),
        seriesUids: referencedSeries(instance),
      },
    ]
  })
}

const MOST_DEEP = 4

function listContent(object: DicomObject, depth = 0): DicomObject[] {
  if (depth > MOST_DEEP) return []
  return itemsOf(object, '0040A730').flatMap((item) => [item, ...listContent(item, depth + 1)])
}
