import { StorageError } from '@hilum/contract/storage-errors'
import type { Caller } from '../../access/caller.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Db } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import { readIdentity } from '../altered/read-identity.ts'
import {
  findContentVersion,
  recountStoredStudy,
  replaceIdentities,
  setImagesAside,
  touchShowingRecords,
} from './delete-images.sql.ts'
import { type ArrivingIdentity, type StoredKey, lockStoredStudy } from '../storage/ingest.sql.ts'
import { errorOfHold } from '../storage/error-of-hold.ts'
import { findHoldOn } from '../storage/hold.sql.ts'
import { listStoredInstances } from '../storage/instance.sql.ts'
import { addIdentities, namesSeveralPatients } from '../ingest/patient-identity.ts'
import { sayChanged } from '../ingest/say-ready.command.ts'
import { findOwnStored, listImages, type RecordKey } from '../storage/record-images.sql.ts'

type OwnRecord = RecordKey & Pick<StudyRecord, 'account_uuid'>

/**
 * Deletes images of a record's own stored study; their bytes stay until they are purged. With the images of the other
 * patient gone, a study that named several is one patient's again.
 * @param sopUids which; without them all. Images that are not there are passed over
 * @throws StorageError ACCESS_DENIED (images of a sender), CONFLICT (held or frozen), IMAGES_NOT_FOUND
 */
export async function deleteImages(
  services: Services,
  caller: Caller,
  record: OwnRecord,
  sopUids: readonly string[] | undefined,
): Promise<void> {
  const key = await findOwnStored(services.db, record)
  if (!key) return assertNothingShown(services.db, record, sopUids)
  const wasMixed = await services.db.transaction().execute(async (tx) => {
    const at = new Date()
    const stored = await lockStoredStudy(tx, key)
    const hold = await findHoldOn(tx, [key])
    if (hold) throw errorOfHold(hold)
    const gone = stored ? await setImagesAside(tx, stored, sopUids, { at, userUuid: caller.userUuid }) : []
    if (!stored || gone.length === 0) {
      await assertNothingShown(tx, record, sopUids)
      return false
    }
    await recountStoredStudy(tx, stored)
    await touchShowingRecords(tx, key, at)
    await writeStudyAudit(tx, caller, record, 'IMAGE_DELETED', {
      images: gone.length,
      ...(gone.length === 1 ? { image_uid: gone[0]?.sop_uid } : {}),
    })
    return namesSeveralPatients(stored.identities)
  })
  if (wasMixed) await identifyAnew(services, key)
  services.events.ring()
}

/** @throws StorageError ACCESS_DENIED where the images are a sender's; IMAGES_NOT_FOUND where some were named and are not there */
async function assertNothingShown(db: Db, record: RecordKey, sopUids: readonly string[] | undefined): Promise<void> {
  const [shown] = await listImages(db, record, sopUids ? { sopUids } : {})
  if (shown) throw new StorageError('ACCESS_DENIED', 'The images belong to the sender; only there they can be deleted')
  if (!sopUids) return
  throw new StorageError(sopUids.length === 1 ? 'IMAGE_NOT_FOUND' : 'IMAGES_NOT_FOUND', undefined, {
    study_uid: record.study_uid,
  })
}

const MAX_TRIES = 3

/** Reads from the images that are left whose they are. While others come and go, the warning stays. */
async function identifyAnew({ db, store }: Services, key: StoredKey): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const contentVersion = await findContentVersion(db, key)
    if (contentVersion === undefined) return
    let identities: ArrivingIdentity[] = []
    for (const instance of await listStoredInstances(db, key)) {
      const identity = await readIdentity(store, instance)
      if (identity) identities = addIdentities(identities, [identity])
    }
    const isMixed = namesSeveralPatients(identities)
    const isDone = await db.transaction().execute(async (tx) => {
      const records = await replaceIdentities(tx, key, contentVersion, identities, isMixed)
      if (records && !isMixed) await sayChanged(tx, records)
      return records !== undefined
    })
    if (isDone) return
  }
}
