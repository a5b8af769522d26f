import { type Act, factsOf, type Held, mayDo } from '@hilum/contract/acts'
import { ApiError } from '@hilum/contract/errors'
import type { Db } from '../db/database.ts'
import { actorOf, type Asker, type Membership } from './caller.ts'
import {
  findDeletedRecordByUid,
  findRecordByUid,
  findRecordByUuid,
  listRecordsByUuid,
  type StudyRecord,
} from './study-record.sql.ts'

/** A study record that the caller may see, with what the caller brings to acts on it. */
export interface StudyAccess extends Required<Held> {
  record: StudyRecord
  membership: Membership
}

/** How a record is named: by uuid, by triplet, where phi_namespace defaults to storage_namespace, or by both alike. */
export interface StudyKey {
  uuid?: string | undefined
  study_uid?: string | undefined
  storage_namespace?: string | undefined
  phi_namespace?: string | undefined
}

/**
 * The record behind a key.
 * @throws ApiError MISSING_FIELDS without a usable key; NOT_FOUND when there is none or the caller may not know of it;
 *   NOT_PERMITTED when it is visible but the act is not allowed
 */
export async function openStudyRecord(
  db: Db,
  caller: Asker,
  key: StudyKey,
  act: Act,
  deletedToo = false,
): Promise<StudyAccess> {
  const record = await findRecord(db, key, deletedToo)
  const access = record && (await seeRecord(caller, record))
  if (!access || (record.deleted && !deletedToo)) throw new ApiError('NOT_FOUND')
  if (!mayDo(act, access)) throw new ApiError('NOT_PERMITTED')
  return access
}

/** The caller's rights on a record, or undefined when its very existence is not the caller's business. */
export async function seeRecord(caller: Asker, record: StudyRecord): Promise<StudyAccess | undefined> {
  // all that was shared has been taken back
  if (record.is_shared && record.sources.length === 0) return undefined
  if (caller.derivedStudies && !caller.derivedStudies.has(record.uuid)) return undefined
  const membership = (await caller.memberships()).find((one) => one.namespaceUuid === record.phi_namespace)
  if (!membership) return undefined
  const { permissions, inAccount } = membership
  const facts = factsOf({
    thin: record.thin,
    ownUpload: !record.is_shared && record.created_by === actorOf(caller),
    awaitsApproval: record.must_approve,
    original: !record.is_shared,
    takenBack: record.is_taken_back,
    deleted: record.deleted,
  })
  const seen = {
    ...record,
    withholds_reports: withholdsReports(caller, membership),
    withholds_former: withholdsFormer(caller),
  }
  const access = { record: seen, membership, permissions, inAccount, facts }
  return mayDo('findStudy', access) ? access : undefined
}

/**
 * Whether reports among the images stay hidden: from whoever opened a link that gives the images without files and reports.
 * Of people the act `viewStudy` decides on all that is among the images.
 */
export function withholdsReports(caller: Asker, { permissions }: Pick<Membership, 'permissions'>): boolean {
  return caller.kind === 'link' && !mayDo('seeAttachments', { permissions })
}

/** Whether former patients of corrected images stay hidden: of people without a login, who opened a link. */
export function withholdsFormer(caller: Pick<Asker, 'kind'>): boolean {
  return caller.kind === 'link'
}

/** Whether what was opened is still there: the same record, every source and the reports that it showed then. */
export function isSameAccess({ record }: StudyAccess, now: StudyAccess | undefined): boolean {
  return isSameRecord(record, now?.record) && (record.withholds_reports || !now?.record.withholds_reports)
}

function isSameRecord({ uuid, sources }: StudyRecord, now: StudyRecord | undefined): boolean {
  return now?.uuid === uuid && sources.every((source) => now.sources.includes(source))
}

/**
 * Whether records of which images are on their way to a peer may be sent on: none was deleted, has to be approved by now,
 * or lost a source that it showed at the beginning.
 */
export async function mayStillBeSent(db: Db, records: readonly StudyRecord[]): Promise<boolean> {
  const found = await listRecordsByUuid(
    db,
    records.map((one) => one.uuid),
  )
  const now = new Map(found.map((one) => [one.uuid, one]))
  return records.every((one) => {
    const fresh = now.get(one.uuid)
    return isSameRecord(one, fresh) && !fresh?.deleted && (one.must_approve || !fresh?.must_approve)
  })
}

async function findRecord(db: Db, key: StudyKey, deletedToo: boolean): Promise<StudyRecord | undefined> {
  if (key.uuid) {
    const record = await findRecordByUuid(db, key.uuid)
    return record && (await isNamedBy(db, record, key)) ? record : undefined
  }
  const phiNamespace = key.phi_namespace ?? key.storage_namespace
  if (key.study_uid && phiNamespace) {
    const live = await findRecordByUid(db, phiNamespace, key.study_uid, key.storage_namespace)
    return live ?? (deletedToo ? findDeletedRecordByUid(db, phiNamespace, key.study_uid) : undefined)
  }
  throw new ApiError('MISSING_FIELDS', { subtype: missingOf(key) })
}

/** Whether all names that came besides the uuid are the record's own too: of two studies that are named, none is meant. */
async function isNamedBy(db: Db, record: StudyRecord, key: StudyKey): Promise<boolean> {
  const { study_uid, phi_namespace, storage_namespace } = key
  if (study_uid !== undefined && study_uid !== record.study_uid) return false
  if (phi_namespace !== undefined && phi_namespace !== record.phi_namespace) return false
  if (storage_namespace === undefined || storage_namespace === record.storage_namespace) return true
  const shared = await findRecordByUid(db, record.phi_namespace, record.study_uid, storage_namespace)
  return shared?.uuid === record.uuid
}

function missingOf(key: StudyKey): string[] {
  return key.study_uid ? ['storage_namespace'] : key.storage_namespace ? ['study_uid'] : ['uuid']
}
