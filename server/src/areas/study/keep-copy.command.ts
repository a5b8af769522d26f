import type { CopyRefusal } from '@hilum/contract/calls/study-duplicate'
import type { Caller } from '../../access/caller.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import { asOutside, writeStudyAudit } from '../audit/audit.sql.ts'
import { writeEvent } from '../event/event.sql.ts'
import { addOwnSources } from '../ingest/arriving-record.sql.ts'
import { recountStoredStudy } from '../retention/delete-images.sql.ts'
import { type LockedStoredStudy, lockStoredStudies, lockStoredStudy } from '../storage/ingest.sql.ts'
import { bringImagesIn, setIdentities } from '../ingest/merge-generation.sql.ts'
import { addIdentities, namesSeveralPatients } from '../ingest/patient-identity.ts'
import { listSources } from '../storage/record-images.sql.ts'
import { sayReady } from '../ingest/say-ready.command.ts'
import { storeReadyBlobs } from '../ingest/store-blobs.command.ts'
import { tellEvent } from '../telling/tell-event.command.ts'
import { faultOf } from './deliver-share.command.ts'
import { findCopyRefusal, findNameOfAccount, listSendersOf, lockBytesOfOthers, markCopied } from './keep-copy.sql.ts'
import { listOrigins } from './origins.sql.ts'
import { hasOwnImages } from './share-lists.sql.ts'
import { lockSharing } from '../storage/lock-sharing.sql.ts'
import { lockToShare, refreshRecord } from './shared-record.sql.ts'

/** The outcome; `notShared`: no share gives this record images. */
type CopyOutcome =
  | { kind: 'kept' | 'gone' | 'phantom' | 'frozen' | 'awaitsApproval' | 'notShared' }
  | { kind: 'refused'; refusal: CopyRefusal }

/**
 * Makes the images that shares give a record the record's own, by rows that name the same bytes: they stay when sharing
 * ends, and whatever the sender does. Bytes of another account are entered for this one, in the same objects. Each sender
 * has it on record. Again brings what has come since.
 */
export async function keepCopy(tx: Tx, caller: Caller, record: StudyRecord): Promise<CopyOutcome> {
  await lockSharing(tx, record.study_uid)
  const { own, others } = await lockStored(tx, record)
  const { source } = await lockToShare(tx, record, record.phi_namespace)
  const fault = faultOf(source)
  if (!source || fault) return { kind: fault ?? 'gone' }
  // a copy of half a study would look like a whole one
  if (source.arrival === 'receiving') return { kind: 'phantom' }
  const senders = await listSendersOf(tx, record)
  const origins = await listOrigins(tx, record)
  if (!own || senders.length === 0) return { kind: 'notShared' }
  const refusal = await findCopyRefusal(tx, record, origins)
  if (refusal) return { kind: 'refused', refusal }

  const blobs = await storeReadyBlobs(tx, await lockBytesOfOthers(tx, others, record.account_uuid))
  let images = 0
  for (const other of others) images += await bringImagesIn(tx, other, own, blobs)
  await recountStoredStudy(tx, own)
  const identities = others.reduce((all, other) => addIdentities(all, other.identities), own.identities)
  await setIdentities(tx, own, identities)
  const isFirst = !(await hasOwnImages(tx, record))
  await addOwnSources(tx, [{ ...own, phi_namespace: record.phi_namespace, uuid: record.uuid }])
  await markCopied(tx, record, origins, isFirst)
  await refreshRecord(tx, record, namesSeveralPatients(identities))
  await sayReady(tx, [record], 'joined', new Date())
  await writeStudyAudit(tx, caller, record, 'DUPLICATE', { images })
  await tellEvent(tx, 'STUDY_COPY', [record])
  await writeEvent(tx, 'study', record.phi_namespace, record.uuid)
  const name = await findNameOfAccount(tx, record.account_uuid)
  for (const sender of senders) {
    const isOther = sender.account_uuid !== record.account_uuid
    const detail = { images, to: record.phi_namespace, ...(isOther ? { with: name } : {}) }
    await writeStudyAudit(tx, isOther ? asOutside(caller) : caller, sender, 'DUPLICATE', detail)
    await writeEvent(tx, 'study', sender.phi_namespace, sender.uuid)
  }
  return { kind: 'kept' }
}

/** Locks the stored studies of a record in their order, and makes that of its own namespace where none is open. */
async function lockStored(
  tx: Tx,
  { phi_namespace, uuid, study_uid, account_uuid }: StudyRecord,
): Promise<{ own: LockedStoredStudy | undefined; others: LockedStoredStudy[] }> {
  const sources = await listSources(tx, { phi_namespace, uuid, study_uid })
  const keys = [
    ...sources.filter((one) => one.storage_namespace !== phi_namespace),
    { storage_namespace: phi_namespace, study_uid, generation: 0 },
  ]
  const others: LockedStoredStudy[] = []
  let own: LockedStoredStudy | undefined
  const order = (one: (typeof keys)[number]) => `${one.storage_namespace} ${String(one.generation).padStart(10, '0')}`
  for (const key of keys.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))) {
    if (key.storage_namespace === phi_namespace) {
      ;[own] = await lockStoredStudies(tx, [{ storage_namespace: phi_namespace, study_uid, account_uuid }])
    } else {
      const other = await lockStoredStudy(tx, key)
      if (other) others.push(other)
    }
  }
  return { own, others }
}
