import type { Services } from '../../services.ts'
import type { AttributeChanges } from '../altered/anonymize-attributes.ts'
import { readFields } from '../altered/describe-image.ts'
import { fileIds } from './file-ids.ts'
import type { StoredInstance, StoredSeries } from '../storage/instance.sql.ts'
import type { OutgoingRecord } from '../altered/outgoing-record.sql.ts'
import { namedPlaces } from './named-folders.ts'

const CLINICAL_TRIAL_TIME_POINT_ID = 0x00120050
/** Series whose first image is asked for the time point. */
const MOST_ASKED = 20

export type PlacesOptions = {
  /** All files in one folder. */
  isFlat?: boolean
  /** Folders that say what is in them, in place of numbered ones. */
  hasNamedFolders?: boolean
  anonymize?: AttributeChanges
}

type Found = { instances: readonly StoredInstance[]; series: readonly StoredSeries[]; outgoing: OutgoingRecord }

/** Where each file of a download lies, without an ending. */
export async function placeFiles(
  services: Services,
  { instances, series, outgoing }: Found,
  options: PlacesOptions,
): Promise<string[][]> {
  if (!isNamed(options)) return fileIds(instances, options.isFlat ?? false)
  const timePoint = await findTimePoint(services, instances, options.anonymize)
  return namedPlaces(instances, { record: outgoing, series, timePoint })
}

/** Whether files lie in named folders, where a DICOMDIR could not name them (PS3.10 §8.5). */
export function isNamed({ isFlat, hasNamedFolders }: PlacesOptions): boolean {
  return (hasNamedFolders ?? false) && !isFlat
}

/** The time point of the study: that of the first series that has one, as not every image says it. */
async function findTimePoint(
  services: Services,
  instances: readonly StoredInstance[],
  anonymize: AttributeChanges | undefined,
): Promise<string> {
  const change = anonymize?.get(CLINICAL_TRIAL_TIME_POINT_ID)
  if (change) return typeof change.value === 'string' ? change.value : ''
  const firsts = new Map(instances.toReversed().map((instance) => [instance.series_uid, instance]))
  for (const instance of [...firsts.values()].toReversed().slice(0, MOST_ASKED)) {
    const { timePoint } = await readFields(services, instance, { timePoint: CLINICAL_TRIAL_TIME_POINT_ID })
    if (timePoint) return timePoint
  }
  return ''
}
