import type { Tx } from '../../db/database.ts'
import { declaredJobs } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import { isSameStudy, type LockedStoredStudy } from '../storage/ingest.sql.ts'
import type { ArrivedImage, PlacedImage } from './arrived-image.ts'
import { ruleOf } from './following.ts'
import { listMovedFrom, listMovedOriginals } from './following.sql.ts'

/** An image that goes where others of its study went. */
export type FollowingImage = PlacedImage & { outcome: 'stored' | 'duplicate'; separationUuid: string }

/**
 * The images, of those that arrive for studies out of which images moved, that follow these. An image that moved already
 * is a duplicate. Stored studies are locked, so that no separation is made meanwhile.
 */
export async function placeFollowing(
  tx: Tx,
  images: readonly ArrivedImage[],
  studyOf: (image: ArrivedImage) => LockedStoredStudy,
): Promise<FollowingImage[]> {
  const asked = images.filter((image) => studyOf(image).is_separated)
  if (asked.length === 0) return []
  const rules = await listMovedFrom(tx, [...new Set(asked.map(studyOf))])
  if (rules.length === 0) return []
  const known = await listMovedOriginals(
    tx,
    asked.map(({ storage_namespace, study_uid, facts }) => ({ storage_namespace, study_uid, sop_uid: facts.sopUid })),
  )
  const placed: FollowingImage[] = []
  for (const image of asked) {
    const { storage_namespace, study_uid } = image
    const { demographics: identity, seriesUid, sopUid } = image.facts
    const moved = known.filter((one) => isSameStudy(one, image) && one.sop_uid === sopUid)
    const found = { image, studyKey: studyOf(image).key, isPrimary: true }
    const same = moved.find((one) => one.series_uid === seriesUid && one.version === image.version)
    const rule = ruleOf(
      { identity, seriesUid },
      ({ uuid }) => moved.some((old) => old.separation_uuid === uuid),
      rules.filter((one) => isSameStudy({ storage_namespace: one.phi_namespace, study_uid: one.study_uid }, image)),
    )
    if (same) placed.push({ ...found, outcome: 'duplicate', separationUuid: same.separation_uuid })
    else if (rule) {
      placed.push({ ...found, outcome: 'stored', separationUuid: rule.uuid })
      known.push({
        separation_uuid: rule.uuid,
        storage_namespace,
        study_uid,
        series_uid: seriesUid,
        sop_uid: sopUid,
        version: image.version,
      })
    }
  }
  return placed
}

/** Has the images of these separations stored anew in the studies that they moved to. */
export async function askToFollow(tx: Tx, separations: ReadonlySet<string>): Promise<void> {
  for (const uuid of separations) {
    const work = { group: `separation:${uuid}`, key: `follow:${uuid}` }
    await enqueue(tx, declaredJobs.followSeparation, { separationUuid: uuid }, work)
  }
}
