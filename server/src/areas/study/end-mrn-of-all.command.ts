import { ApiError } from '@hilum/contract/errors'
import type { Caller } from '../../access/caller.ts'
import type { StudyRecord } from '../../access/study-record.sql.ts'
import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import { type LockedStudy, lockStudyRow } from '../altered/locked-study.sql.ts'
import { withoutNote } from '../altered/study-edit.ts'
import { writeStudyAudit } from '../audit/audit.sql.ts'
import { writeEvent } from '../event/event.sql.ts'
import { sayChanged } from '../ingest/say-ready.command.ts'
import { isRejectedAt } from '../nomination/nomination.sql.ts'
import { tellEvent } from '../telling/tell-event.command.ts'
import { workDetail } from './edit-study.command.ts'
import { updateStudy } from './study-write.sql.ts'

/** The work status that a record gets, and the person who takes it. */
type WorkChange = Pick<Parameters<typeof updateStudy>[2], 'workStatus' | 'takenBy'>

async function changeWorkAlone(
  tx: Tx,
  caller: Caller,
  record: StudyRecord,
  row: LockedStudy,
  work: WorkChange,
): Promise<number> {
  if (work.workStatus === undefined) return row.row_version
  const detail = workDetail(row, work.workStatus)
  if (detail.length > 0) await writeStudyAudit(tx, caller, record, 'EDIT', Object.fromEntries(detail))
  await updateStudy(tx, record, { tags: {}, ...work })
  await writeEvent(tx, 'study', record.phi_namespace, record.uuid)
  return row.row_version + 1
}

/**
 * Takes back that the MRN of a record was said to be that of all its images: the record keeps the number, and is held again
 * where its images carry others. Without such a word nothing changes but the work status, where one is sent along.
 * @throws ApiError LOCKED, STALE, NOT_NOMINATED as an edit does
 */
export async function endMrnOfAll(
  services: Services,
  caller: Caller,
  record: StudyRecord,
  { rowVersion, work }: { rowVersion: number | undefined; work: WorkChange },
): Promise<number> {
  const version = await services.db.transaction().execute(async (tx) => {
    const row = await lockStudyRow(tx, record.phi_namespace, record.uuid)
    if (!row) throw new ApiError('NOT_FOUND')
    if (row.locked_by && row.locked_by !== caller.userUuid) throw new ApiError('LOCKED')
    if (rowVersion !== undefined && rowVersion !== row.row_version) throw new ApiError('STALE')
    const word = row.edits.find((edit) => edit.tag === 'patientid' && edit.isOfAll)
    if (!word) return changeWorkAlone(tx, caller, record, row, work)
    if (await isRejectedAt(tx, record.uuid)) throw new ApiError('NOT_NOMINATED')
    // a number without an authority was said to be the organisation's own by the same word
    const ofWord = row.edits.find((edit) => edit.tag === 'issuer' && edit.when === word.when)
    const rest = row.edits.filter((edit) => edit !== word && edit !== ofWord)
    // a number that was written stays the one of the images that came with the number before
    const written = { ...withoutNote(word, 'isOfAll'), mrns: [word.old] }
    const edits = word.old === word.new ? rest : [...rest, written]
    await updateStudy(tx, record, { tags: {}, edits, ...work, ...(ofWord ? { issuer: ofWord.old } : {}) })
    await writeStudyAudit(tx, caller, record, 'EDIT', {
      mrn_of_all: { ended: true },
      ...Object.fromEntries(workDetail(row, work.workStatus)),
    })
    await tellEvent(tx, 'STUDY_EDIT', [record])
    await sayChanged(tx, [record.uuid])
    await writeEvent(tx, 'study', record.phi_namespace, record.uuid)
    return row.row_version + 1
  })
  services.events.ring()
  return version
}
