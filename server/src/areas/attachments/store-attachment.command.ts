import { randomUUID } from 'node:crypto'
import { StorageError } from '@hilum/contract/storage-errors'
import type { Caller } from '../../access/caller.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Services } from '../../services.ts'
import type { Tx } from '../../db/database.ts'
import { type AuditEntry, writeStudyAudit } from '../audit/audit.sql.ts'
import { tellEvent } from '../telling/tell-event.command.ts'
import { writeEvent } from '../event/event.sql.ts'
import {
  type StoredAttachment,
  countAttachments,
  findAttachmentId,
  insertAttachment,
  lockRecord,
  markAttachmentDeleted,
  renameAttachment,
} from './attachment.sql.ts'
import { storeReadyBlobs } from '../ingest/store-blobs.command.ts'
import { errorOfHold } from '../storage/error-of-hold.ts'
import { findHoldOnRecord } from '../storage/hold.sql.ts'
import { safeFilename } from '../storage/safe-filename.ts'
import { scanned } from '../ingest/scan-body.ts'
import { storeBody, type StoredBody } from '../ingest/store-body.ts'
import { explainStoreFailure } from '../storage/store-failure.ts'
import { versionOf } from '../storage/version-of.ts'

/** The largest attachment taken. */
export const MAX_ATTACHMENT_BYTES = 1024 ** 3

export type AttachedRecord = Pick<StudyRecord, 'uuid' | 'phi_namespace' | 'study_uid' | 'account_uuid' | 'must_approve'>
type Actor = AuditEntry['caller']

/**
 * Attaches a file to a study record. When it returns, the bytes are on disk and the row is committed. A file of the same
 * name becomes the next version of the one that is there; the same bytes again change nothing.
 * @throws StorageError; nothing is kept then
 */
export async function storeAttachment(
  services: Services,
  caller: Caller,
  record: AttachedRecord,
  file: {
    name: string
    body: AsyncIterable<Uint8Array>
    /** The id by the SHA-256 of the bytes in hex; without it that of the file of this name, or a new one. */
    idOf?: (sha256: string) => string
  },
): Promise<StoredAttachment> {
  const body = await storeAttachmentBody(services, record, file.body)
  const filename = safeFilename(file.name)
  // Once the transaction has begun the object stays: a commit whose answer got lost may have listed it.
  const { attachment, isNeeded } = await services.db.transaction().execute(async (tx) => {
    if (!(await lockRecord(tx, record.phi_namespace, record.uuid))) throw new StorageError('STUDY_NOT_FOUND')
    const id =
      file.idOf?.(body.sha256) ??
      (await findAttachmentId(tx, record.phi_namespace, record.uuid, filename)) ??
      randomUUID()
    return enterAttachment(tx, caller, record, { id, version: versionOf(body.sha256), filename, body })
  })
  if (!isNeeded) await body.discard()
  services.events.ring()
  return attachment
}

/**
 * The bytes of an attachment on disk, seen by the virus scanner where there is one, before a transaction lists them.
 * @throws StorageError; nothing is kept then
 */
export async function storeAttachmentBody(
  services: Pick<Services, 'config' | 'store' | 'log'>,
  { account_uuid, phi_namespace }: Pick<AttachedRecord, 'account_uuid' | 'phi_namespace'>,
  bytes: AsyncIterable<Uint8Array>,
): Promise<StoredBody> {
  const folder = `${account_uuid}/${phi_namespace}/attachments`
  const checked = scanned(services, bytes)
  const body = await storeBody(services.store, folder, checked, MAX_ATTACHMENT_BYTES).catch((error: unknown) =>
    explainStoreFailure(services.log, error),
  )
  if (body.length > 0) return body
  await body.discard()
  throw new StorageError('VALIDATION_ERROR', 'The file is empty', { reason: 'empty' })
}

/**
 * Lists a version of an attachment of a record that is locked, with its audit and event.
 * @param actor without one the installation acted
 * @returns `isNeeded` is false where other bytes in the store are the same: the body can be discarded after the commit
 */
async function enterAttachment(
  tx: Tx,
  actor: Actor,
  record: AttachedRecord,
  { body, ...file }: { id: string; version: string; filename: string; body: StoredBody },
  detail: Record<string, unknown> = {},
): Promise<{ attachment: StoredAttachment; isNew: boolean; isNeeded: boolean }> {
  const at = new Date()
  const { sha256, length, crc32, objectKey } = body
  const { account_uuid, phi_namespace } = record
  const [blob] = await storeReadyBlobs(tx, [
    { account_uuid, sha256, generation: 1, object_key: objectKey, length, crc32 },
  ])
  const stored_by = actor && 'userUuid' in actor ? actor.userUuid : null
  const stored = await insertAttachment(
    tx,
    {
      ...file,
      phi_namespace,
      study_uuid: record.uuid,
      account_uuid,
      sha256,
      length,
      stored_by,
      generation: blob?.generation ?? 1,
    },
    at,
  )
  if (stored.isNew) await tell(tx, actor, record, 'REPORT_UPLOAD', stored.attachment, at, detail)
  return { ...stored, isNeeded: blob?.object_key === objectKey }
}

/**
 * As `enterAttachment`; a version that is there under another name, as one that was named withdrawn, takes this name and
 * is put on record as attached again.
 */
export async function enterUnderName(
  tx: Tx,
  actor: Actor,
  record: AttachedRecord,
  file: { id: string; version: string; filename: string; body: StoredBody },
  detail: Record<string, unknown>,
): Promise<{ isNeeded: boolean }> {
  const { isNew, isNeeded } = await enterAttachment(tx, actor, record, file, detail)
  const isRenamed = await renameAttachment(tx, record.phi_namespace, record.uuid, file, file.filename)
  if (isRenamed && !isNew) await tell(tx, actor, record, 'REPORT_UPLOAD', file, new Date(), detail)
  return { isNeeded }
}

/**
 * Takes one version of an attachment away; its bytes stay until they are purged.
 * @throws StorageError ATTACHMENT_NOT_FOUND_EXCEPTION, CONFLICT (held or frozen)
 */
export async function removeAttachment(
  services: Services,
  caller: Caller,
  record: AttachedRecord,
  key: { id: string; version: string },
): Promise<void> {
  await services.db.transaction().execute(async (tx) => {
    await lockRecord(tx, record.phi_namespace, record.uuid)
    const hold = await findHoldOnRecord(tx, record)
    if (hold) throw errorOfHold(hold)
    if (!(await takeAttachmentAway(tx, caller, record, key))) {
      throw new StorageError('ATTACHMENT_NOT_FOUND_EXCEPTION', undefined, { study_uid: record.study_uid })
    }
  })
  services.events.ring()
}

/** Takes one version away from a record that is locked, with its audit and event. @returns false when there is none */
export async function takeAttachmentAway(
  tx: Tx,
  actor: Actor,
  record: AttachedRecord,
  key: { id: string; version: string },
  detail: Record<string, unknown> = {},
): Promise<boolean> {
  const at = new Date()
  if (!(await markAttachmentDeleted(tx, record.phi_namespace, record.uuid, key, at))) return false
  await tell(tx, actor, record, 'REPORT_REMOVE', key, at, detail)
  return true
}

/**
 * Names one version of a record that is locked as what became of it, with audit and event: it may not be taken away.
 * @returns false when it has that name, or is not there
 */
export async function renameEnded(
  tx: Tx,
  actor: Actor,
  record: AttachedRecord,
  { id, version, filename }: { id: string; version: string; filename: string },
  detail: Record<string, unknown>,
): Promise<boolean> {
  if (!(await renameAttachment(tx, record.phi_namespace, record.uuid, { id, version }, filename))) return false
  await countAttachments(tx, record.phi_namespace, record.uuid, new Date())
  await writeStudyAudit(tx, actor, record, 'REPORT_KEPT', { attachment: id, version, ...detail })
  await writeEvent(tx, 'study', record.phi_namespace, record.uuid)
  return true
}

/** The record's count, the audit and the event that go with every change. */
async function tell(
  tx: Tx,
  actor: Actor,
  record: AttachedRecord,
  action: 'REPORT_UPLOAD' | 'REPORT_REMOVE',
  { id, version }: { id: string; version: string },
  at: Date,
  detail: Record<string, unknown>,
): Promise<void> {
  await countAttachments(tx, record.phi_namespace, record.uuid, at)
  await writeStudyAudit(tx, actor, record, action, { attachment: id, version, ...detail })
  await tellEvent(tx, action === 'REPORT_UPLOAD' ? 'STUDY_REPORT' : 'STUDY_REPORT_REMOVE', [record])
  await writeEvent(tx, 'study', record.phi_namespace, record.uuid)
}
