import type { Caller } from '../../access/caller.ts'
import { openStudyRecord, type StudyAccess } from '../../access/study-access.ts'
import type { Db } from '../../db/database.ts'
import { type MergePlan, planMerge } from './plan-merge.command.ts'
import { demandPatientShown } from '../study/hidden-names.command.ts'

type Asked = {
  input: { secondary_uuid: string }
  caller: Caller
  on: StudyAccess
  fail: (code: 'INVALID_FIELD', more: { subtype: string }) => Error
}

/**
 * The merge of two exams that the caller may move images of, both in one place.
 * @throws ApiError INVALID_FIELD where they are one exam, or of two places; NOT_FOUND, NOT_PERMITTED of the second one
 */
export async function openMergePlan(db: Db, { input, caller, on, fail }: Asked): Promise<MergePlan> {
  demandPatientShown(on.membership.fieldFlags)
  const { record: moving } = await openStudyRecord(db, caller, { uuid: input.secondary_uuid }, 'splitStudy')
  const { record: staying } = on
  if (moving.uuid === staying.uuid || moving.phi_namespace !== staying.phi_namespace)
    throw fail('INVALID_FIELD', { subtype: 'secondary_uuid' })
  return planMerge(db, { moving, staying }, caller.userUuid)
}
