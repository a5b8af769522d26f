import { createHash } from 'node:crypto'
import type { Caller } from '../../access/caller.ts'
import { openStudyRecord, type StudyAccess } from '../../access/study-access.ts'
import type { Db } from '../../db/database.ts'
import { type PickedImages, pickImages } from './picked-images.ts'
import { listImageNames } from './merge.sql.ts'
import { type MergePlan, planMerge } from './plan-merge.command.ts'
import { demandPatientShown } from '../study/hidden-names.command.ts'

type Asked = {
  input: { secondary_uuid: string; series_uids?: string[] | undefined; image_uids?: string[] | undefined }
  caller: Caller
  on: StudyAccess
  fail: (code: 'INVALID_FIELD', more: { subtype: string }) => Error
}

/** @property chosen the images that move; undefined where all of the exam do */
type OpenedPlan = MergePlan & { chosen: PickedImages | undefined }

/**
 * The merge of two exams that the caller may move images of, both in one place: of the whole second exam, or of the series
 * and images that were chosen of it.
 * @throws ApiError INVALID_FIELD where they are one exam, or of two places, or the choice names nothing of the exam, or
 *   what is not of it; NOT_FOUND, NOT_PERMITTED of the second one
 */
export async function openMergePlan(db: Db, { input, caller, on, fail }: Asked): Promise<OpenedPlan> {
  demandPatientShown(on.membership.fieldFlags)
  const { record: moving } = await openStudyRecord(db, caller, { uuid: input.secondary_uuid }, 'splitStudy')
  const { record: staying } = on
  if (moving.uuid === staying.uuid || moving.phi_namespace !== staying.phi_namespace)
    throw fail('INVALID_FIELD', { subtype: 'secondary_uuid' })
  const plan = await planMerge(db, { moving, staying }, caller.userUuid)
  const { key, side } = plan.moves
  const isOfWhole = input.series_uids === undefined && input.image_uids === undefined
  // of an exam without images nothing can be chosen, and its obstacle says why
  if (isOfWhole || !key || !side || side.seqs.length === 0) return { ...plan, chosen: undefined }
  const choice = { seriesUids: input.series_uids ?? [], sopUids: input.image_uids ?? [] }
  const chosen = pickImages(await listImageNames(db, key), choice)
  if (chosen && 'unknown' in chosen) throw fail('INVALID_FIELD', { subtype: chosen.unknown })
  return { ...plan, chosen, digest: chosen ? digestOf(plan.digest, chosen.seqs) : plan.digest }
}

/** Stands for both exams as they are, and for the images that were chosen. */
function digestOf(ofExams: string, seqs: readonly number[]): string {
  return createHash('sha256')
    .update(JSON.stringify([ofExams, seqs]))
    .digest('hex')
    .slice(0, 32)
}
