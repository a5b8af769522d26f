import { ApiError } from '@hilum/contract/errors'
import { holdsOne, type Permission, type PermissionSet } from '@hilum/contract/permissions'
import type { Db } from '../db/database.ts'
import type { Caller, Membership } from './caller.ts'
import { findRecordByUid, findRecordByUuid, type StudyRecord } from './study-record.sql.ts'

/** A study record that the caller may see, with what the role in its namespace allows. */
export interface StudyAccess {
  record: StudyRecord
  membership: Membership
  permissions: PermissionSet
}

/** How a record is named: by uuid, or by triplet, where phi_namespace defaults to storage_namespace. */
export interface StudyKey {
  uuid?: string | undefined
  study_uid?: string | undefined
  storage_namespace?: string | undefined
  phi_namespace?: string | undefined
}

/**
 * The record behind a key.
 * @throws ApiError MISSING_FIELDS without a usable key; NOT_FOUND when there is none or the caller may not know of it;
 *   NOT_PERMITTED when it is visible but none of `needs` is held
 */
export async function openStudyRecord(
  db: Db,
  caller: Caller,
  key: StudyKey,
  needs: readonly Permission[],
  deletedToo = false,
): Promise<StudyAccess> {
  const record = await findRecord(db, key)
  const access = record && (await seeRecord(caller, record))
  if (!access || (record.deleted && !deletedToo)) throw new ApiError('NOT_FOUND')
  if (!holdsOne(access.permissions, needs)) throw new ApiError('NOT_PERMITTED')
  return access
}

/** What the caller may do with a record, or undefined when its very existence is not the caller's business. */
export async function seeRecord(caller: Caller, record: StudyRecord): Promise<StudyAccess | undefined> {
  if (caller.derivedStudies && !caller.derivedStudies.has(record.uuid)) return undefined
  const membership = (await caller.memberships()).find((one) => one.namespaceUuid === record.phi_namespace)
  if (!membership) return undefined
  if (record.must_approve && !membership.permissions.has('study_approve')) return undefined
  if (record.deleted && !membership.permissions.has('study_delete')) return undefined
  return { record, membership, permissions: membership.permissions }
}

async function findRecord(db: Db, key: StudyKey): Promise<StudyRecord | undefined> {
  if (key.uuid) return findRecordByUuid(db, key.uuid)
  const phiNamespace = key.phi_namespace ?? key.storage_namespace
  if (key.study_uid && phiNamespace) return findRecordByUid(db, phiNamespace, key.study_uid, key.storage_namespace)
  throw new ApiError('MISSING_FIELDS', { subtype: missingOf(key) })
}

function missingOf(key: StudyKey): string[] {
  return key.study_uid ? ['storage_namespace'] : key.storage_namespace ? ['study_uid'] : ['uuid']
}
