import type { orderSpsFind } from '@hilum/contract/calls/order'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { stepListSql } from './order-columns.sql.ts'
import { visibleOrders } from './order.policy.ts'
import { presentFoundStep } from './worklist.presenter.ts'
import { listFoundSteps } from './worklist.sql.ts'

export const find: Handler<typeof orderSpsFind> = async ({ services, list: query, caller, on }) => {
  const question = stepListSql(query, caller.timeZone)
  const found = await listFoundSteps(services.db, await visibleOrders(caller, on), question)
  const { rows, page } = toPage(found, query)
  return { sps: rows.map(presentFoundStep), page }
}
