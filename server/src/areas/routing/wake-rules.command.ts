import type { Tx } from '../../db/database.ts'
import { declaredJobs } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'

/** Has the rules act that waited for the approval of a record. */
export async function wakeRulesOfApproved(tx: Tx, studyUuid: string): Promise<void> {
  await enqueue(tx, declaredJobs.wakeRules, { studyUuid }, { key: studyUuid, group: `route ${studyUuid}` })
}
