import type { ArrivedImage } from './arrived-image.ts'
import type { LateArrival } from './late-arrival.sql.ts'
import { isSameStudy } from '../storage/ingest.sql.ts'
import type { ReachedRecord } from './reached-records.sql.ts'

/**
 * New images for records that were there already, by study and sender. The first images of a record are told by its
 * making: those of the sender who announced it, or whose first image makes it.
 * @param fresh images that no record showed before
 * @param arrived all images of the batch; the first of a study makes its record where there is none
 */
export function lateImages(
  fresh: readonly ArrivedImage[],
  arrived: readonly ArrivedImage[],
  reached: readonly ReachedRecord[],
): LateArrival[] {
  const firstSender = (image: ArrivedImage) => {
    const record = reached.find((one) => one.is_own && isSameStudy(one, image))
    if (record) return record.first_sender
    return senderOf(arrived.find((one) => isSameStudy(one, image)) ?? image)
  }
  const late = fresh.filter((image) => !image.isUnshown && !image.isOnRecord && firstSender(image) !== senderOf(image))
  const groups = Map.groupBy(late, (image) => [image.storage_namespace, image.study_uid, senderOf(image)].join('\n'))
  return [...groups.values()].flatMap(([first, ...others]) =>
    first
      ? {
          storage_namespace: first.storage_namespace,
          study_uid: first.study_uid,
          sender: senderOf(first),
          actor: first.actor,
          by_key: first.isByKey,
          images: 1 + others.length,
        }
      : [],
  )
}

function senderOf({ actor, sourceName }: ArrivedImage): string {
  return actor ?? sourceName
}
