import { createHash } from 'node:crypto'
import type { NewUids } from '@hilum/dicom/renamed-references'

/**
 * A UID of what a separation moves: the same for the same, so that work that runs twice makes nothing twice, and images
 * that come later stand in the series of those that came before.
 * @param uidRoot root of the installation's UIDs; without one they stand under 2.25
 */
export function newUidFor(separationUuid: string, uidRoot: string | undefined, uid: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([separationUuid, uid]))
    .digest('hex')
  const number = BigInt(`0x${digest.slice(0, 32)}`)
  return uidRoot ? `${uidRoot}.${String(number).slice(0, 63 - uidRoot.length)}` : `2.25.${number}`
}

/** UIDs that images of the other exam have already. */
type TakenUids = { series: ReadonlySet<string>; images: ReadonlySet<string> }

/**
 * The UIDs that all images of a separation get, and references to them with them.
 * @param wholeSeries of which every image moves
 * @param taken of a merge: all other Series and SOP Instance UIDs stay; without them all are new
 */
export function newUidsOf(
  { uuid, study_uid, to_study_uid }: { uuid: string; study_uid: string; to_study_uid: string },
  images: readonly { series_uid: string; sop_uid: string }[],
  uidRoot: string | undefined,
  wholeSeries: ReadonlySet<string>,
  taken?: TakenUids,
): NewUids {
  const renamed = (uids: Iterable<string>, without?: ReadonlySet<string>) =>
    new Map(
      [...new Set(uids)].map(
        (uid) => [uid, without && !without.has(uid) ? uid : newUidFor(uuid, uidRoot, uid)] as const,
      ),
    )
  return {
    study: new Map([[study_uid, to_study_uid]]),
    wholeSeries,
    series: renamed(
      images.map(({ series_uid }) => series_uid),
      taken?.series,
    ),
    image: renamed(
      images.map(({ sop_uid }) => sop_uid),
      taken?.images,
    ),
  }
}
