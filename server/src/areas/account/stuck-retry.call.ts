import type { accountStuckRetry } from '@hilum/contract/calls/account'
import type { Handler } from '../handler.ts'
import { retryClockWork } from '../installation/stuck.sql.ts'
import { clockJobs } from '../job/clock-jobs.ts'

export const stuckRetry: Handler<typeof accountStuckRetry> = async ({ services, input, fail }) => {
  const isTaken = clockJobs.includes(input.job) && (await retryClockWork(services.db, input.job))
  if (!isTaken) throw fail('NOT_FOUND')
  return {}
}
