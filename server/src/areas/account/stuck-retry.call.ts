import type { accountStuckRetry } from '@hilum/contract/calls/account'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { retryClockWork } from '../installation/stuck.sql.ts'
import { clockJobs } from '../job/clock-jobs.ts'

export const stuckRetry: Handler<typeof accountStuckRetry> = async ({ services, input, caller, on, fail }) => {
  await services.db.transaction().execute(async (tx) => {
    const isTaken = clockJobs.includes(input.job) && (await retryClockWork(tx, input.job))
    if (!isTaken) throw fail('NOT_FOUND')
    await writeAudit(tx, {
      accountUuid: on.ownerUuid,
      caller,
      action: 'EDIT',
      type: 'Account',
      objectUuid: on.ownerUuid,
      detail: { work_run_at_once: input.job },
    })
  })
  return {}
}
