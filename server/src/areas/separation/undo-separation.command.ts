import type { UndoObstacle } from '@hilum/contract/calls/study-split'
import type { Caller } from '../../access/caller.ts'
import type { Db, Tx } from '../../db/database.ts'
import { asOutside, writeStudyAudit } from '../audit/audit.sql.ts'
import { writeEvent } from '../event/event.sql.ts'
import { endGeneration } from '../ingest/generation.sql.ts'
import { addIdentities } from '../ingest/patient-identity.ts'
import { sayChanged } from '../ingest/say-ready.command.ts'
import { recountStoredStudy, touchShowingRecords } from '../retention/delete-images.sql.ts'
import { removeRecord } from '../retention/delete-record.command.ts'
import { callOffRules } from '../routing/call-off-rules.command.ts'
import { lockOpenStudies, lockStoredStudy, type StoredKey } from '../storage/ingest.sql.ts'
import { lockSharing } from '../storage/lock-sharing.sql.ts'
import { newUidFor } from './new-uids.ts'
import { listBars } from './obstacles.command.ts'
import { isHeldByOther } from './obstacles.sql.ts'
import { lockSeparation, type SeparationRow, setSeparation } from './separation.sql.ts'
import {
  describeSeries,
  listOriginalSeries,
  lockShowing,
  noteSeparated,
  putOriginalsBack,
  setDemographics,
  stepVersions,
} from './switch.sql.ts'
import { sayWhose, tellSeparated } from './switch-records.command.ts'
import { findSinceMade } from './undo-obstacles.sql.ts'

export type Undone = { kind: 'undone'; uuid: string } | { kind: 'obstacle'; why: UndoObstacle | 'locked' | 'gone' }

/** Whatever keeps a split from being undone: what has happened since, and holds and sending of either record. */
export async function listUndoObstacles(
  db: Db,
  one: Pick<SeparationRow, 'uuid' | 'phi_namespace' | 'study_uid' | 'study_generation' | 'to_study_uid'>,
): Promise<UndoObstacle[]> {
  const since = await findSinceMade(db, one.uuid)
  if (!since) return ['deleted']
  const happened = (Object.keys(since) as (keyof typeof since)[]).filter((name) => since[name])
  const bars = await listBars(db, [fromOf(one), { ...fromOf(one), study_uid: one.to_study_uid, generation: 1 }])
  return [...new Set([...happened, ...bars])]
}

function fromOf(one: Pick<SeparationRow, 'phi_namespace' | 'study_uid' | 'study_generation'>): StoredKey {
  return { storage_namespace: one.phi_namespace, study_uid: one.study_uid, generation: one.study_generation }
}

/**
 * Puts the images of a split back where they were, those too that came later and followed. The record that it made ends
 * for good, and with it its images: their originals are here again.
 */
export async function undoSeparation(
  tx: Tx,
  caller: Caller,
  one: SeparationRow,
  uidRoot: string | undefined,
): Promise<Undone> {
  for (const uid of [one.study_uid, one.to_study_uid].toSorted()) await lockSharing(tx, uid)
  const [first, second] = [fromOf(one).study_uid, one.to_study_uid].toSorted()
  const lock = async (uid: string | undefined) =>
    uid === one.study_uid
      ? lockStoredStudy(tx, fromOf(one))
      : (await lockOpenStudies(tx, [{ storage_namespace: one.phi_namespace, study_uid: one.to_study_uid }]))[0]
  const locked = [await lock(first), await lock(second)]
  const from = locked.find((stored) => stored?.study_uid === one.study_uid)
  const to = locked.find((stored) => stored?.study_uid === one.to_study_uid)
  const row = await lockSeparation(tx, one.uuid)
  if (!from || !to || row?.state !== 'made' || !row.to_study_uuid) return { kind: 'obstacle', why: 'gone' }
  const showing = await lockShowing(tx, from)
  const made = { phi_namespace: row.phi_namespace, uuid: row.to_study_uuid, account_uuid: row.account_uuid }
  for (const uuid of [row.study_uuid, made.uuid])
    if (await isHeldByOther(tx, uuid, caller.userUuid)) return { kind: 'obstacle', why: 'locked' }
  const [obstacle] = await listUndoObstacles(tx, row)
  if (obstacle) return { kind: 'obstacle', why: obstacle }

  const names = (await listOriginalSeries(tx, row.uuid)).map((uid) => ({
    old: uid,
    new: newUidFor(row.uuid, uidRoot, uid),
  }))
  const images = await putOriginalsBack(tx, row.uuid, from)
  await describeSeries(tx, from, to, names)
  await recountStoredStudy(tx, from)
  await touchShowingRecords(tx, from, new Date())
  await sayWhose(tx, from, addIdentities(row.kept_identities, [...row.moved_identities, ...to.identities]))
  for (const { phi_namespace, uuid, row_version } of showing) {
    const was = row.before.find((one) => one.uuid === uuid)
    if (was && 'row_version' in was && was.row_version === row_version)
      await setDemographics(tx, { phi_namespace, uuid }, was.values, was.edits)
  }
  await stepVersions(
    tx,
    showing.map(({ uuid }) => uuid),
    row.study_uuid,
  )
  await callOffRules(tx, made.uuid, row.uuid)
  // first: with its record a separation that stands is forgotten
  await setSeparation(tx, row.uuid, { state: 'undone', undoneBy: caller.userUuid })
  await removeRecord(tx, made)
  await endGeneration(tx, to)
  await noteSeparated(tx, from)
  await writeStudyAudit(tx, caller, made, 'SPLIT_UNDONE', { separation: row.uuid, images, to: row.study_uuid })
  await writeEvent(tx, 'study', made.phi_namespace, made.uuid)
  for (const record of showing) {
    const isHere = record.uuid === row.study_uuid
    const detail = isHere ? { separation: row.uuid, images, from: made.uuid } : { images }
    const actor = record.account_uuid === row.account_uuid ? caller : asOutside(caller)
    await writeStudyAudit(tx, actor, record, 'SPLIT_UNDONE', detail)
    await writeEvent(tx, 'study', record.phi_namespace, record.uuid)
  }
  // the other study is told of as deleted
  await tellSeparated(tx, 'STUDY_SPLIT', showing)
  await sayChanged(
    tx,
    showing.map(({ uuid }) => uuid),
  )
  return { kind: 'undone', uuid: row.study_uuid }
}
