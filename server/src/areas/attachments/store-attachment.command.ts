import { randomUUID } from 'node:crypto'
import { StorageError } from '@hilum/contract/storage-errors'
import type { Caller } from '../../access/caller.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Services } from '../../services.ts'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import { writeEvent } from '../event/event.sql.ts'
import {
  type StoredAttachment,
  countAttachments,
  findAttachmentId,
  insertAttachment,
  lockRecord,
  markAttachmentDeleted,
} from './attachment.sql.ts'
import { storeReadyBlobs } from '../ingest/store-blobs.command.ts'
import { safeFilename } from '../storage/safe-filename.ts'
import { scanned } from '../ingest/scan-body.ts'
import { storeBody } from '../ingest/store-body.ts'
import { explainStoreFailure } from '../storage/store-failure.ts'
import { versionOf } from '../storage/version-of.ts'

/** The largest attachment taken. */
export const MAX_ATTACHMENT_BYTES = 1024 ** 3

type AttachedTo = Pick<StudyRecord, 'uuid' | 'phi_namespace' | 'study_uid' | 'account_uuid'>

/**
 * Attaches a file to a study record. When it returns, the bytes are on disk and the row is committed. A file of the same
 * name becomes the next version of the one that is there; the same bytes again change nothing.
 * @throws StorageError; nothing is kept then
 */
export async function storeAttachment(
  services: Services,
  caller: Caller,
  record: AttachedTo,
  file: {
    name: string
    body: AsyncIterable<Uint8Array>
    /** The id by the SHA-256 of the bytes in hex; without it that of the file of this name, or a new one. */
    idOf?: (sha256: string) => string
  },
): Promise<StoredAttachment> {
  const { db, store } = services
  const folder = `${record.account_uuid}/${record.phi_namespace}/attachments`
  const body = await storeBody(store, folder, scanned(services, file.body), MAX_ATTACHMENT_BYTES).catch(
    (error: unknown) => explainStoreFailure(services.log, error),
  )
  if (body.length === 0) {
    await body.discard()
    throw new StorageError('VALIDATION_ERROR', 'The file is empty', { reason: 'empty' })
  }
  const { sha256, length, crc32, objectKey } = body
  const filename = safeFilename(file.name)
  // Once the transaction has begun the object stays: a commit whose answer got lost may have listed it.
  const { attachment, isNeeded } = await db.transaction().execute(async (tx) => {
    const at = new Date()
    const [blob] = await storeReadyBlobs(tx, [
      { account_uuid: record.account_uuid, sha256, generation: 1, object_key: objectKey, length, crc32 },
    ])
    if (!(await lockRecord(tx, record.phi_namespace, record.uuid))) throw new StorageError('STUDY_NOT_FOUND')
    const kept = await insertAttachment(
      tx,
      {
        phi_namespace: record.phi_namespace,
        study_uuid: record.uuid,
        id:
          file.idOf?.(sha256) ??
          (await findAttachmentId(tx, record.phi_namespace, record.uuid, filename)) ??
          randomUUID(),
        version: versionOf(sha256),
        filename,
        account_uuid: record.account_uuid,
        sha256,
        generation: blob?.generation ?? 1,
        length,
        stored_by: caller.userUuid,
      },
      at,
    )
    if (kept.isNew) await tell(tx, caller, record, 'REPORT_UPLOAD', kept.attachment, at)
    return { attachment: kept.attachment, isNeeded: blob?.object_key === objectKey }
  })
  if (!isNeeded) await body.discard()
  services.events.ring()
  return attachment
}

/**
 * Takes one version of an attachment away; its bytes stay until they are purged.
 * @throws StorageError ATTACHMENT_NOT_FOUND_EXCEPTION
 */
export async function removeAttachment(
  services: Services,
  caller: Caller,
  record: AttachedTo,
  key: { id: string; version: string },
): Promise<void> {
  await services.db.transaction().execute(async (tx) => {
    const at = new Date()
    await lockRecord(tx, record.phi_namespace, record.uuid)
    if (!(await markAttachmentDeleted(tx, record.phi_namespace, record.uuid, key, at))) {
      throw new StorageError('ATTACHMENT_NOT_FOUND_EXCEPTION', undefined, { study_uid: record.study_uid })
    }
    await tell(tx, caller, record, 'REPORT_REMOVE', key, at)
  })
  services.events.ring()
}

/** The record's count, the audit and the event that go with every change. */
async function tell(
  tx: Parameters<typeof countAttachments>[0],
  caller: Caller,
  record: AttachedTo,
  action: 'REPORT_UPLOAD' | 'REPORT_REMOVE',
  { id, version }: { id: string; version: string },
  at: Date,
): Promise<void> {
  await countAttachments(tx, record.phi_namespace, record.uuid, at)
  await writeStudyAudit(tx, caller, record, action, { attachment: id, version })
  await writeEvent(tx, 'study', record.phi_namespace, record.uuid)
}
