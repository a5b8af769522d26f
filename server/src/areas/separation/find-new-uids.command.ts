import type { NewUids } from '@hilum/dicom/renamed-references'
import type { Services } from '../../services.ts'
import { newUidsOf } from './new-uids.ts'
import { listTaken, type SeparationRow } from './separation.sql.ts'

/** The UIDs that these images of a separation get: all are new, but for those of a merge that nothing there has. */
export async function findNewUids(
  { db, config }: Pick<Services, 'db' | 'config'>,
  one: SeparationRow,
  images: readonly { series_uid: string; sop_uid: string; seq: number }[],
): Promise<NewUids> {
  const taken = one.kind === 'merge' ? await listTaken(db, one, images) : undefined
  return newUidsOf(one, images, config.uidRoot, taken)
}
