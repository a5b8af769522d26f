import type { orderHistory } from '@hilum/contract/calls/order'
import type { Handler } from '../handler.ts'
import { visibleOrders } from './order.policy.ts'
import { findOrder, listOrderEvents } from './order.sql.ts'

export const history: Handler<typeof orderHistory> = async ({ services, input, caller, on, fail }) => {
  const order = await findOrder(services.db, await visibleOrders(caller, on), input.uuid)
  if (!order) throw fail('NOT_FOUND')
  const rows = await listOrderEvents(services.db, {
    accountUuid: on.ownerUuid,
    namespaceUuid: order.namespace_id,
    uuid: order.uuid,
  })
  const events = rows.map((row) => ({
    uuid: String(row.id),
    action: row.action,
    who: row.actor_name,
    when: row.at,
    detail: row.detail,
    message: row.message,
  }))
  return { events }
}
