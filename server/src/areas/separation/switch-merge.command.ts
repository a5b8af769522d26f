import type { Tx } from '../../db/database.ts'
import { asOutside, type AuditEntry, writeStudyAudit } from '../audit/audit.sql.ts'
import { writeEvent } from '../event/event.sql.ts'
import { addIdentities } from '../ingest/patient-identity.ts'
import { sayChanged, sayReady } from '../ingest/say-ready.command.ts'
import { mergedMail } from '../mail/mail-texts.ts'
import { recountStoredStudy, touchShowingRecords } from '../retention/delete-images.sql.ts'
import type { LockedStoredStudy } from '../storage/ingest.sql.ts'
import { moveStaged, noteSynced } from './merge.sql.ts'
import { type RecordBefore, type SeparationRow, setSeparation } from './separation.sql.ts'
import { type ShownExam, showStayingExam } from './shown-exam.command.ts'
import { lockShowing, noteSeparated, setOriginalsAside, type ShowingRecord, stepVersions } from './switch.sql.ts'
import { sayWhose, takeOut, tellReceivers, tellSeparated } from './switch-records.command.ts'

type Merging = {
  one: SeparationRow
  /** The stored study that the images leave, locked. */
  from: LockedStoredStudy
  /** The one that they go to, locked. */
  to: LockedStoredStudy
  /** The one that they were stored in anew, locked. */
  staged: LockedStoredStudy
  /** Facts of the exam by its first image, where that one is among those that leave, beside those by one that stays. */
  shownExam: ShownExam | undefined
  /** Of the web app. */
  address: string
}

/**
 * Moves the images of a merge, which are stored anew by now: they leave their stored study for every record that shows
 * it, and every record that shows the other study shows them. The caller holds the sharing of both and all stored studies.
 */
export async function switchMerge(tx: Tx, { one, from, to, staged, shownExam, address }: Merging): Promise<void> {
  const by = { userUuid: one.user_uuid, name: one.user_name, clientAddress: '' }
  const losing = await lockShowing(tx, from)
  const gaining = await lockShowing(tx, to)
  const images = await setOriginalsAside(tx, one)
  // the record shows the patient still: what comes for it of somebody else is told apart from him
  await takeOut(tx, from, addIdentities(one.moved_identities, one.kept_identities))
  const shown = shownExam ? await showStayingExam(tx, losing, from, shownExam) : []
  await moveStaged(tx, one.uuid, staged, to)
  await recountStoredStudy(tx, to)
  await touchShowingRecords(tx, to, new Date())
  await sayWhose(tx, to, addIdentities(to.identities, staged.identities))
  await noteSynced(tx, to)
  await stepAll(tx, losing, gaining, one)
  const target = gaining.find(({ uuid }) => uuid === one.to_study_uuid)
  await setSeparation(tx, one.uuid, { state: 'made', before: [...(target ? [beforeOf(target)] : []), ...shown] })
  await noteSeparated(tx, from)
  if (target) await sayReady(tx, [target], 'joined', new Date(), one.uuid)
  await tellMerge(tx, { one, by, action: 'MERGE', images, losing, gaining })
  await tellReceivers(tx, one.study_uuid, one.user_uuid, mergedMail(address))
  if (one.to_study_uuid) await tellReceivers(tx, one.to_study_uuid, one.user_uuid, mergedMail(address))
}

function beforeOf({ phi_namespace, uuid, values, edits, row_version }: ShowingRecord): RecordBefore {
  return { phi_namespace, uuid, values, edits, row_version }
}

export async function stepAll(
  tx: Tx,
  losing: readonly ShowingRecord[],
  gaining: readonly ShowingRecord[],
  one: Pick<SeparationRow, 'study_uuid' | 'to_study_uuid'>,
): Promise<void> {
  const uuids = (records: readonly ShowingRecord[]) => records.map(({ uuid }) => uuid)
  await stepVersions(tx, uuids(losing), one.study_uuid)
  await stepVersions(tx, uuids(gaining), one.to_study_uuid ?? one.study_uuid)
  await sayChanged(tx, uuids([...losing, ...gaining]))
}

type MergeNote = {
  one: SeparationRow
  by: NonNullable<AuditEntry['caller']>
  action: 'MERGE' | 'MERGE_UNDONE'
  images: number
  losing: readonly ShowingRecord[]
  gaining: readonly ShowingRecord[]
}

/**
 * Notes in the history of every record that shows either study that images moved; where to, in the place of both alone.
 * Webhooks hear of both studies, those of whoever has one by a share as well.
 */
export async function tellMerge(tx: Tx, { one, by, action, images, losing, gaining }: MergeNote): Promise<void> {
  const full = { separation: one.uuid, images, ...(one.reason ? { reason: one.reason } : {}) }
  const isBack = action === 'MERGE_UNDONE'
  const sides = [
    { records: losing, own: one.study_uuid, detail: { ...full, [isBack ? 'from' : 'to']: one.to_study_uuid } },
    { records: gaining, own: one.to_study_uuid, detail: { ...full, [isBack ? 'to' : 'from']: one.study_uuid } },
  ]
  for (const { records, own, detail } of sides)
    for (const record of records) {
      const actor = record.account_uuid === one.account_uuid ? by : asOutside(by)
      await writeStudyAudit(tx, actor, record, action, record.uuid === own ? detail : { images })
      await writeEvent(tx, 'study', record.phi_namespace, record.uuid)
    }
  await tellSeparated(tx, 'STUDY_MERGE', [...losing, ...gaining])
}
