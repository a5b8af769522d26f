import { mayDo } from '@hilum/contract/acts'
import { jobList } from '@hilum/contract/calls/job'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { listWork, workColumns, workOrder, workSorts } from './work-list.sql.ts'

export const list: Handler<typeof jobList> = async ({ services, input, list: asked, caller, fail }) => {
  const { account_id: accountUuid } = input
  const question = listSql(asked, workColumns, caller.timeZone, workOrder, workSorts)
  const answer = async (of: Parameters<typeof listWork>[1]) => {
    const { rows, page } = toPage(await listWork(services.db, of, question), asked)
    return { work: rows, page }
  }
  if (accountUuid === undefined) return answer({ userUuid: caller.userUuid })
  const place = (await caller.memberships()).find((one) => one.kind === 'account' && one.ownerUuid === accountUuid)
  if (!place) throw fail('NOT_FOUND')
  if (!mayDo(jobList.asks['the work of an account'], place)) throw fail('NOT_PERMITTED')
  return answer({ accountUuid })
}
