import type { RestoredAccess } from '@hilum/contract/calls/study-acts'
import type { StudyDicomField } from '@hilum/contract/entities/study'
import type { Caller } from '../../access/caller.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import { writeEvent } from '../event/event.sql.ts'
import { reopenRestored } from '../nomination/deleted-nomination.command.ts'
import { lockNominated, lockNominationsOf } from '../nomination/nomination.sql.ts'
import { tellNomination } from '../nomination/tell-nomination.command.ts'
import { recountStoredStudy, touchShowingRecords } from '../retention/delete-images.sql.ts'
import {
  lockGenerations,
  lockRecordsToRestore,
  type RestorableRecord,
  reopenGeneration,
} from '../ingest/generation.sql.ts'
import { type ArrivingIdentity, type LockedStoredStudy, lockStoredStudies } from '../storage/ingest.sql.ts'
import { lockSharing } from '../storage/lock-sharing.sql.ts'
import { noteDirectShares } from './shared-record.sql.ts'
import { carryCopies, carryGiven, carryLinks, carryNominations, carrySent } from './carried-record.sql.ts'
import { addOwnSources } from '../ingest/arriving-record.sql.ts'
import { bringDeletedIn, bringImagesIn, mergeRecords, setIdentities } from '../ingest/merge-generation.sql.ts'
import { addIdentities, namesSeveralPatients } from '../ingest/patient-identity.ts'
import { deleteRecordForGood } from '../retention/purge.sql.ts'
import { sayReady, sayShownAgain } from '../ingest/say-ready.command.ts'
import { unmarkDeleted } from '../retention/deleted-mark.sql.ts'
import type { StudyEdit } from '../altered/study-edit.ts'
import { countRestoredAccess } from './restored-access.sql.ts'
import { lockRetracted, undoRetraction } from './retract-study.command.ts'
import { type LockedStudy, lockStudyRow } from '../altered/locked-study.sql.ts'

export type Restored =
  | { kind: 'shown'; access: RestoredAccess }
  /** The images came in beside those of the record of this uuid. */
  | { kind: 'merged'; uuid: string; access: RestoredAccess }
  /** The record is not deleted, or was deleted too long ago. */
  | { kind: 'gone' }
  /** The record that came after the deletion says otherwise who the patient is. */
  | { kind: 'differs'; tags: string[] }

/**
 * Restores a deleted record. Where the study has a record again, sent after the deletion, the old images come in beside
 * the new ones and the old record ends; its shares, its nominations and what left for destinations go on with the new one. Of a study that was taken back everywhere the recipients have it again.
 */
export async function restoreRecord(tx: Tx, caller: Caller, record: StudyRecord): Promise<Restored> {
  const retraction = await lockRetracted(tx, record)
  const restored = await restore(tx, caller, record)
  const isBack = restored.kind === 'shown' || restored.kind === 'merged'
  if (retraction && isBack) await undoRetraction(tx, caller, retraction)
  return restored
}

async function restore(tx: Tx, caller: Caller, record: StudyRecord): Promise<Restored> {
  const { phi_namespace, study_uid, uuid } = record
  await lockSharing(tx, study_uid)
  const nominations = await lockNominationsOf(tx, uuid)
  const generations = await lockGenerations(tx, { storage_namespace: phi_namespace, study_uid })
  await lockNominated(tx, nominations, record)
  const { live, deleted } = await lockRecordsToRestore(tx, phi_namespace, study_uid, uuid)
  if (!deleted) return { kind: 'gone' }
  const own = generations.find((one) => one.generation === deleted.own_generation)
  if (live) return merge(tx, caller, record, { deleted, live, own })
  // before the record, as arriving images do: whoever comes at the same moment waits here
  if (own) await reopenGeneration(tx, own)
  const access = await countRestoredAccess(tx, deleted)
  await unmarkDeleted(tx, record)
  await reopenRestored(
    tx,
    nominations.find((one) => one.gate_uuid === uuid),
  )
  await writeStudyAudit(tx, caller, record, 'REVIVE')
  await writeEvent(tx, 'study', phi_namespace, uuid)
  await sayShownAgain(tx, [record], new Date())
  return { kind: 'shown', access }
}

async function merge(
  tx: Tx,
  caller: Caller,
  record: StudyRecord,
  { deleted, live, own }: { deleted: RestorableRecord; live: RestorableRecord; own: LockedStoredStudy | undefined },
): Promise<Restored> {
  const old = await lockStudyRow(tx, deleted.phi_namespace, deleted.uuid)
  const shown = await lockStudyRow(tx, live.phi_namespace, live.uuid)
  if (!old || !shown) return { kind: 'gone' }
  const differing = differingFields(old, shown)
  if (differing.length > 0) return { kind: 'differs', tags: differing }
  const target = { ...record, uuid: live.uuid }
  const images = own ? await mergeImages(tx, target, own, live.own_generation === null) : { count: 0, isMixed: false }
  await mergeRecords(tx, deleted, live, { edits: editsToCarry(old, shown), isMixed: images.isMixed })
  const access = await countRestoredAccess(tx, deleted, live)
  await carryGiven(tx, deleted, live)
  await carryCopies(tx, deleted, live)
  await carryLinks(tx, deleted, live)
  await carrySent(tx, deleted, live)
  await carryNominations(tx, deleted, live)
  await deleteRecordForGood(tx, deleted)
  await noteDirectShares(tx, [live.uuid])
  for (const one of await lockNominationsOf(tx, live.uuid)) await tellNomination(tx, one.uuid)
  await writeStudyAudit(tx, caller, target, 'REVIVE', { restored: deleted.uuid, images: images.count })
  await writeStudyAudit(tx, caller, record, 'REVIVE', { into: live.uuid })
  await writeEvent(tx, 'study', record.phi_namespace, record.uuid)
  // a record that is receiving still is ready later, with the old images
  await sayReady(tx, [live], 'joined', new Date())
  return { kind: 'merged', uuid: live.uuid, access }
}

async function mergeImages(
  tx: Tx,
  live: StudyRecord,
  own: LockedStoredStudy,
  isWithoutSource: boolean,
): Promise<{ count: number; isMixed: boolean }> {
  const { phi_namespace, study_uid, account_uuid } = live
  const [stored] = await lockStoredStudies(tx, [{ storage_namespace: phi_namespace, study_uid, account_uuid }])
  if (!stored) return { count: 0, isMixed: false }
  if (isWithoutSource) await addOwnSources(tx, [{ ...stored, phi_namespace, uuid: live.uuid }])
  const count = await bringImagesIn(tx, own, stored)
  await bringDeletedIn(tx, own, stored)
  await recountStoredStudy(tx, stored)
  const identities = addIdentities(stored.identities, own.identities)
  await setIdentities(tx, stored, identities)
  await touchShowingRecords(tx, stored, new Date())
  return { count, isMixed: namesSeveralPatients(identities) }
}

const identityFields = ['patient_name', 'patientid', 'issuer', 'patient_birth_date', 'patient_sex'] as const

/**
 * Tags that keep two records from becoming one: all in which they name two people, and every correction of the old one
 * that the new one does not show, for the old images would leave without it.
 */
function differingFields(old: LockedStudy, live: LockedStudy): string[] {
  const isOther = namesSeveralPatients([identityOf(old), identityOf(live)])
  const corrected = new Set<string>(old.edits.map((edit) => edit.tag))
  return identityFields.filter(
    (tag) => identityOf(old)[tag] !== identityOf(live)[tag] && (isOther || corrected.has(tag)),
  )
}

/** The corrections of the old record that lead to what the new one shows and does not correct itself. */
function editsToCarry(old: LockedStudy, live: LockedStudy): StudyEdit[] {
  const corrected = new Set(live.edits.map((edit) => edit.tag))
  return old.edits.filter((edit) => !corrected.has(edit.tag) && valueOf(old, edit.tag) === valueOf(live, edit.tag))
}

function identityOf(record: LockedStudy): ArrivingIdentity {
  return Object.fromEntries(identityFields.map((tag) => [tag, valueOf(record, tag)])) as ArrivingIdentity
}

function valueOf(record: LockedStudy, tag: StudyDicomField | 'issuer'): string {
  return tag === 'issuer' ? record.issuer : (record.values[tag] ?? '')
}
