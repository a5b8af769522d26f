import type { orderGet } from '@hilum/contract/calls/order'
import { listDefinitions } from '../customfield/customfield.sql.ts'
import type { Handler } from '../handler.ts'
import { presentOrder } from './order.presenter.ts'
import { visibleOrders } from './order.policy.ts'
import { findOrder } from './order.sql.ts'

export const get: Handler<typeof orderGet> = async ({ services, input, caller, on, fail }) => {
  const row = await findOrder(services.db, await visibleOrders(caller, on), input.uuid)
  if (!row) throw fail('NOT_FOUND')
  return presentOrder(row, await listDefinitions(services.db, [on.ownerUuid], 'Order'))
}
