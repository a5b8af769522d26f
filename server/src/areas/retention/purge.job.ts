import { restoreDays } from '@hilum/contract/limits'
import type { Services } from '../../services.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { forgetMetadata } from '../storage/metadata-place.ts'
import { forgetPictures } from '../pictures/draw-frame.command.ts'
import { lockStoredStudy, type StoredKey } from '../storage/ingest.sql.ts'
import {
  type BlobKey,
  deleteDoomedBlob,
  doomBlobs,
  forgetGoneRecords,
  listDoomedBlobs,
  lockBlobs,
  lookForUnneededBlobs,
  lookForUnneededStudies,
  purgeDeletedAttachments,
  purgeDeletedImages,
  purgeRecords,
  purgeStoredStudy,
} from './purge.sql.ts'

const DAY_MS = 86_400_000
const BATCH = 200
const IMAGE_BATCH = 5_000

type Purged = { records: number; studies: number; images: number; attachments: number; objects: number }

/**
 * Removes for good what was deleted longer ago than it can be restored, and the bytes that nothing refers to any more:
 * first the rows, then the objects, then the rows of the objects. A run that is cut short is finished by the next.
 */
export async function purge(services: Services, now: Date): Promise<Purged> {
  const { db, log } = services
  const before = new Date(now.getTime() - restoreDays * DAY_MS)
  const purged: Purged = {
    records: await purgeAllRecords(services, before, now),
    studies: await purgeStudies(services, new Date(now.getTime() - DAY_MS)),
    images: await purgeImages(services, before, now),
    attachments: await purgeDeletedAttachments(db, before, now),
    objects: await purgeObjects(services, new Date(now.getTime() - DAY_MS)),
  }
  await forgetGoneRecords(db)
  if (Object.values(purged).some((count) => count > 0)) log.info({ event: 'purged', ...purged })
  return purged
}

async function purgeAllRecords(services: Services, before: Date, now: Date): Promise<number> {
  for (let count = 0; ; ) {
    const gone = await services.db.transaction().execute(async (tx) => {
      const records = await purgeRecords(tx, before, now, BATCH)
      for (const { account_uuid, uuid, phi_namespace, study_uid, deleted_at, deleted_by } of records) {
        await writeAudit(tx, {
          accountUuid: account_uuid,
          caller: undefined,
          action: 'PURGE',
          type: 'Study',
          objectUuid: uuid,
          phiNamespace: phi_namespace,
          detail: { study_uid, deleted_at, deleted_by },
        })
      }
      return records
    })
    for (const record of gone) await forgetMetadata(services, record)
    count += gone.length
    if (gone.length < BATCH) return count
  }
}

async function purgeStudies({ db }: Services, before: Date): Promise<number> {
  let count = 0
  for (let after: StoredKey | undefined; ; ) {
    const { unneeded, last } = await lookForUnneededStudies(db, before, after)
    for (const key of unneeded) {
      await db.transaction().execute(async (tx) => {
        if (await lockStoredStudy(tx, key)) await purgeStoredStudy(tx, key)
      })
    }
    count += unneeded.length
    if (!last) return count
    after = last
  }
}

async function purgeImages({ db }: Services, before: Date, now: Date): Promise<number> {
  for (let count = 0; ; ) {
    const gone = await purgeDeletedImages(db, before, now, IMAGE_BATCH)
    count += gone
    if (gone < IMAGE_BATCH) return count
  }
}

/** Says of the bytes that nothing refers to that they are to go: the first half of taking them away. */
export async function doomUnneededBlobs({ db }: Pick<Services, 'db'>, before: Date): Promise<void> {
  for (let after: BlobKey | undefined; ; ) {
    const { unneeded, last } = await lookForUnneededBlobs(db, before, after)
    for (let first = 0; first < unneeded.length; first += BATCH) {
      const batch = unneeded.slice(first, first + BATCH)
      await db.transaction().execute(async (tx) => doomBlobs(tx, await lockBlobs(tx, batch)))
    }
    if (!last) return
    after = last
  }
}

async function purgeObjects(services: Services, before: Date): Promise<number> {
  const { db } = services
  await doomUnneededBlobs(services, before)
  for (let count = 0; ; ) {
    const doomed = await listDoomedBlobs(db, BATCH)
    for (const blob of doomed) {
      if (!blob.is_object_shared) await services.store.remove(blob.object_key)
      await forgetPictures(services, blob)
      await deleteDoomedBlob(db, blob)
    }
    count += doomed.length
    if (doomed.length < BATCH) return count
  }
}
