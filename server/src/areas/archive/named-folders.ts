import type { StoredInstance, StoredSeries } from '../storage/instance.sql.ts'
import type { OutgoingRecord } from '../altered/outgoing-record.sql.ts'
import { numbered } from './file-ids.ts'
import { clipToBytes, fileWord, noDevice } from '../storage/file-word.ts'

type Named = {
  record: Pick<OutgoingRecord, 'study_date'>
  series: readonly Pick<StoredSeries, 'series_uid' | 'modality' | 'series_time' | 'description'>[]
  /** Clinical Trial Time Point ID, of the whole study. */
  timePoint: string
}

/** Of one of two words of a part of a path: Windows takes 260 characters for all of it, others 255 bytes for a part. */
const MAX_WORD_CHARS = 60
const MAX_WORD_BYTES = 120
const NOTHING = 'UNKNOWN'

/**
 * Where each file lies in folders that say what is in them: study date and time point, modality, series time and
 * description. A part without any of its words is `UNKNOWN`; a second series under the same names gets a number.
 */
export function namedPlaces(
  instances: readonly Pick<StoredInstance, 'series_uid'>[],
  { record, series, timePoint }: Named,
): string[][] {
  const study = partOf([record.study_date, timePoint])
  const bySeries = new Map(series.map((one) => [one.series_uid, one]))
  const folders = new Map<string, string[]>()
  const taken = new Map<string, number>()
  const counts = new Map<string, number>()
  return instances.map(({ series_uid }) => {
    const { modality = '', series_time = '', description = '' } = bySeries.get(series_uid) ?? {}
    const folder =
      folders.get(series_uid) ?? freeFolder([study, partOf([modality]), partOf([series_time, description])], taken)
    folders.set(series_uid, folder)
    const count = (counts.get(series_uid) ?? 0) + 1
    counts.set(series_uid, count)
    return [...folder, numbered('IMG', count)]
  })
}

/**
 * Two names are one where case and the way accents are written do not count.
 * @param taken how often each name was asked for, so that the next number is known without trying all before it
 */
function freeFolder([study = '', modality = '', own = '']: readonly string[], taken: Map<string, number>): string[] {
  const keyOf = (name: string) => [study, modality, name].join('/').toLowerCase()
  const asked = keyOf(own)
  for (let number = (taken.get(asked) ?? 0) + 1; ; number += 1) {
    const name = number === 1 ? own : `${own}-${number}`
    if (number > 1 && taken.has(keyOf(name))) continue
    taken.set(keyOf(name), 1)
    taken.set(asked, number)
    return [study, modality, name]
  }
}

/** Words of letters, digits and dots between hyphens, as any file system takes them. */
function partOf(words: readonly string[]): string {
  const part = words
    .map((word) =>
      clipToBytes(Array.from(fileWord(word, '.')).slice(0, MAX_WORD_CHARS).join(''), MAX_WORD_BYTES).replace(
        /[_.]+$/,
        '',
      ),
    )
    .filter((word) => word !== '')
    .join('-')
  return noDevice(part) || NOTHING
}
