import type { UndoObstacle } from '@hilum/contract/calls/study-split'
import type { Caller } from '../../access/caller.ts'
import type { Db, Tx } from '../../db/database.ts'
import { addIdentities } from '../ingest/patient-identity.ts'
import { recountStoredStudy, touchShowingRecords } from '../retention/delete-images.sql.ts'
import { callOffRules } from '../routing/call-off-rules.command.ts'
import { keysOfMerge, lockMerging } from './lock-merging.command.ts'
import { findSinceMerged, listMergedSeries, noteSynced, takeMergedOut } from './merge.sql.ts'
import { listBars } from './obstacles.command.ts'
import { isHeldByOther } from './obstacles.sql.ts'
import { lockSeparation, type SeparationRow, setSeparation } from './separation.sql.ts'
import { showFormerExam } from './shown-exam.command.ts'
import {
  describeSeries,
  holdsFirst,
  lockShowing,
  noteSeparated,
  putOriginalsBack,
  showFirstVersions,
} from './switch.sql.ts'
import { sayWhose } from './switch-records.command.ts'
import { stepAll, tellMerge } from './switch-merge.command.ts'
import type { Undone } from './undo-separation.command.ts'

/** Whatever keeps a merge from being undone: what has happened since, and holds and sending of either record. */
export async function listUndoMergeObstacles(db: Db, one: SeparationRow): Promise<UndoObstacle[]> {
  const since = await findSinceMerged(db, one)
  if (!since) return ['deleted']
  const happened = (Object.keys(since) as (keyof typeof since)[]).filter((name) => since[name])
  const { from, to } = keysOfMerge(one)
  return [...new Set([...happened, ...(await listBars(db, [from, to]))])]
}

/** Puts the images of a merge back where they were, those too that came later and followed. Both records stay. */
export async function undoMerge(tx: Tx, caller: Caller, one: SeparationRow): Promise<Undone> {
  const { from, to } = await lockMerging(tx, one)
  const row = await lockSeparation(tx, one.uuid)
  if (!from || !to || row?.state !== 'made' || !row.to_study_uuid) return { kind: 'obstacle', why: 'gone' }
  const losing = await lockShowing(tx, from)
  const gaining = await lockShowing(tx, to)
  for (const uuid of [row.study_uuid, row.to_study_uuid])
    if (await isHeldByOther(tx, uuid, caller.userUuid)) return { kind: 'obstacle', why: 'locked' }
  const [obstacle] = await listUndoMergeObstacles(tx, row)
  if (obstacle) return { kind: 'obstacle', why: obstacle }

  const names = await listMergedSeries(tx, row.uuid, to)
  await takeMergedOut(tx, row.uuid, to)
  const isFirst = await holdsFirst(tx, row.uuid, from)
  const images = await putOriginalsBack(tx, row.uuid, from)
  await describeSeries(tx, from, to, names)
  await showFirstVersions(tx, to)
  for (const stored of [from, to]) {
    await recountStoredStudy(tx, stored)
    await touchShowingRecords(tx, stored, new Date())
  }
  // with whatever came for it meanwhile and did not follow
  await sayWhose(tx, from, addIdentities(from.identities, [...row.moved_identities, ...row.kept_identities]))
  await sayWhose(tx, to, to.identities)
  if (isFirst) await showFormerExam(tx, losing, row)
  for (const stored of [from, to]) await noteSynced(tx, stored)
  await stepAll(tx, losing, gaining, row)
  await callOffRules(tx, row.to_study_uuid, row.uuid)
  await setSeparation(tx, row.uuid, { state: 'undone', undoneBy: caller.userUuid })
  await noteSeparated(tx, from)
  await tellMerge(tx, { one: row, by: caller, action: 'MERGE_UNDONE', images, losing, gaining })
  return { kind: 'undone', uuid: row.study_uuid }
}
