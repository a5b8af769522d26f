import { mayDo } from '@hilum/contract/acts'
import { jobList } from '@hilum/contract/calls/job'
import type { Handler } from '../handler.ts'
import { listWork } from './work-list.sql.ts'

export const list: Handler<typeof jobList> = async ({ services, input, caller, fail }) => {
  const { account_id: accountUuid } = input
  if (accountUuid === undefined) return { work: await listWork(services.db, { userUuid: caller.userUuid }) }
  const place = (await caller.memberships()).find((one) => one.kind === 'account' && one.ownerUuid === accountUuid)
  if (!place) throw fail('NOT_FOUND')
  if (!mayDo(jobList.asks['the work of an account'], place)) throw fail('NOT_PERMITTED')
  return { work: await listWork(services.db, { accountUuid }) }
}
