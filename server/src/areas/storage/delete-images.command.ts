import { StorageError } from '@hilum/contract/storage-errors'
import { DicomReadError } from '@hilum/dicom/read-error'
import type { Caller } from '../../access/caller.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Services } from '../../services.ts'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import { readStart } from './corrected-instance.ts'
import {
  findContentVersion,
  findKeeper,
  recountStoredStudy,
  replaceIdentities,
  setImagesAside,
  touchShowingRecords,
} from './delete-images.sql.ts'
import { factsOfHeader } from './image-facts.ts'
import { type Identity, type StudyKey, lockExistingStudies } from './ingest.sql.ts'
import { listInstances } from './instance.sql.ts'
import { addIdentities, namesSeveralPatients } from './patient-identity.ts'

type OwnRecord = Pick<StudyRecord, 'uuid' | 'phi_namespace' | 'study_uid' | 'account_uuid'>

/**
 * Deletes images of a record's own stored study; their bytes stay until they are purged. With the images of the other
 * patient gone, a study that named several is one patient's again.
 * @param sopUids which; without them all. Those that are not there are passed over
 * @throws StorageError ACCESS_DENIED (images of another namespace), CONFLICT (held or frozen), IMAGES_NOT_FOUND
 */
export async function deleteImages(
  services: Services,
  caller: Caller,
  record: OwnRecord,
  storageNamespace: string,
  sopUids: readonly string[] | undefined,
): Promise<void> {
  if (record.phi_namespace !== storageNamespace.toLowerCase()) {
    throw new StorageError('ACCESS_DENIED', 'The images belong to the sender; only there they can be deleted')
  }
  const key: StudyKey = { storage_namespace: record.phi_namespace, study_uid: record.study_uid }
  const wasMixed = await services.db.transaction().execute(async (tx) => {
    const at = new Date()
    const [stored] = await lockExistingStudies(tx, [key])
    await assertNotKept(tx, key)
    const gone = stored ? await setImagesAside(tx, stored, sopUids, { at, userUuid: caller.userUuid }) : []
    if (!stored || gone.length === 0) {
      if (!sopUids) return false
      throw new StorageError(sopUids.length === 1 ? 'IMAGE_NOT_FOUND' : 'IMAGES_NOT_FOUND', undefined, {
        study_uid: record.study_uid,
      })
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

/** @throws StorageError CONFLICT */
export async function assertNotKept(db: Parameters<typeof findKeeper>[0], key: StudyKey): Promise<void> {
  const keeper = await findKeeper(db, key)
  if (keeper === 'hold') throw new StorageError('CONFLICT', 'A legal hold keeps this study', { reason: 'hold' })
  if (keeper === 'frozen') throw new StorageError('CONFLICT', 'The study is frozen', { reason: 'frozen' })
}

const MAX_TRIES = 3

/** Reads from the images that are left whose they are. While others come and go, the warning stays. */
async function identifyAnew({ db, store }: Services, key: StudyKey): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const contentVersion = await findContentVersion(db, key)
    if (contentVersion === undefined) return
    let identities: Identity[] = []
    for (const instance of await listInstances(db, key.storage_namespace, key.study_uid, { isWithConflicts: true })) {
      try {
        const { header } = await readStart(store, instance)
        const { patient_name, patientid, issuer, patient_birth_date, patient_sex } = factsOfHeader(header).demographics
        identities = addIdentities(identities, [{ patient_name, patientid, issuer, patient_birth_date, patient_sex }])
      } catch (error) {
        if (!(error instanceof DicomReadError)) throw error
      }
    }
    const isMixed = namesSeveralPatients(identities)
    const isDone = await db
      .transaction()
      .execute((tx) => replaceIdentities(tx, key, contentVersion, identities, isMixed))
    if (isDone) return
  }
}
