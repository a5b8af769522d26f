import { restoreDays } from '@hilum/contract/limits'
import type { Services } from '../../services.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { forgetMetadata } from '../dicomweb/metadata-place.ts'
import type { Job } from '../job.ts'
import { forgetPictures } from './draw-frame.command.ts'
import { lockExistingStudies } from './ingest.sql.ts'
import {
  deleteDoomedBlob,
  doomBlobs,
  listDoomedBlobs,
  listUnneededStudies,
  lockUnreferencedBlobs,
  purgeDeletedAttachments,
  purgeDeletedImages,
  purgeRecords,
  purgeStoredStudy,
} from './purge.sql.ts'

const DAY_MS = 86_400_000
const BATCH = 200

export type Purged = { records: number; studies: number; images: number; attachments: number; objects: number }

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
    images: await purgeDeletedImages(db, before, now),
    attachments: await purgeDeletedAttachments(db, before, now),
    objects: await purgeObjects(services, new Date(now.getTime() - DAY_MS)),
  }
  if (Object.values(purged).some((count) => count > 0)) log.info({ event: 'purged', ...purged })
  return purged
}

export const purgeDeleted: Job<object> = {
  name: 'purge',
  schedule: '37 2 * * *',
  retries: 2,
  expireSeconds: 14_400,
  run: async (services) => {
    await purge(services, new Date())
  },
}

async function purgeAllRecords(services: Services, before: Date, now: Date): Promise<number> {
  for (let count = 0; ; ) {
    const gone = await services.db.transaction().execute(async (tx) => {
      const records = await purgeRecords(tx, before, now, BATCH)
      for (const { account_uuid, uuid, phi_namespace, study_uid } of records) {
        await writeAudit(tx, {
          accountUuid: account_uuid,
          caller: undefined,
          action: 'PURGE',
          type: 'Study',
          objectUuid: uuid,
          phiNamespace: phi_namespace,
          detail: { study_uid },
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
  for (let count = 0; ; ) {
    const unneeded = await listUnneededStudies(db, before, BATCH)
    for (const key of unneeded) {
      await db.transaction().execute(async (tx) => {
        const [stored] = await lockExistingStudies(tx, [key])
        if (stored) await purgeStoredStudy(tx, stored)
      })
    }
    count += unneeded.length
    if (unneeded.length < BATCH) return count
  }
}

async function purgeObjects(services: Services, before: Date): Promise<number> {
  const { db } = services
  for (;;) {
    const found = await db.transaction().execute(async (tx) => {
      const blobs = await lockUnreferencedBlobs(tx, before, BATCH)
      if (blobs.length > 0) await doomBlobs(tx, blobs)
      return blobs.length
    })
    if (found < BATCH) break
  }
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
