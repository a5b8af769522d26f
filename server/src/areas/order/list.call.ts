import type { orderList } from '@hilum/contract/calls/order'
import { listDefinitions } from '../customfield/customfield.sql.ts'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { orderListSql } from './order-columns.sql.ts'
import { presentOrder } from './order.presenter.ts'
import { visibleOrders } from './order.policy.ts'
import { listOrders } from './order.sql.ts'

export const list: Handler<typeof orderList> = async ({ services, list: query, caller, on }) => {
  const scope = await visibleOrders(caller, on)
  const question = orderListSql(query, caller.timeZone, scope.studies)
  const found = await listOrders(services.db, scope, question)
  const definitions = await listDefinitions(services.db, [on.ownerUuid], 'Order')
  const { rows, page } = toPage(found, query)
  return { orders: rows.map((row) => presentOrder(row, definitions)), page }
}
