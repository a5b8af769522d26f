import type { NewUids } from '@hilum/dicom/renamed-references'
import type { Services } from '../../services.ts'
import { newUidsOf } from './new-uids.ts'
import { listTaken, type SeparationRow } from './separation.sql.ts'

/**
 * The UIDs that these images of a separation get: all are new, but for those of a merge that nothing there has. A series of
 * which a part stays keeps its UID where it is, since no series is of two studies (PS3.3 A.1.2.3).
 */
export async function findNewUids(
  { db, config }: Pick<Services, 'db' | 'config'>,
  one: SeparationRow,
  images: readonly { series_uid: string; sop_uid: string; seq: number }[],
): Promise<NewUids> {
  const isOfAll = one.kind === 'merge' && !one.is_part
  const wholeSeries = new Set(isOfAll ? images.map(({ series_uid }) => series_uid) : one.series_uids)
  if (one.kind === 'split') return newUidsOf(one, images, config.uidRoot, wholeSeries)
  const taken = await listTaken(db, one, images)
  if (one.is_part) for (const { series_uid: uid } of images) if (!one.series_uids.includes(uid)) taken.series.add(uid)
  return newUidsOf(one, images, config.uidRoot, wholeSeries, taken)
}
