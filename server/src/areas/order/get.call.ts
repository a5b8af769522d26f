import type { orderGet } from '@hilum/contract/calls/order'
import { listDefinitions } from '../customfield/customfield.sql.ts'
import type { Handler } from '../handler.ts'
import { presentOrder } from './order.presenter.ts'
import { visibleOrders } from './order.policy.ts'
import { findOrder, listExamsOf } from './order.sql.ts'

export const get: Handler<typeof orderGet> = async ({ services, input, caller, on, fail }) => {
  const scope = await visibleOrders(caller, on)
  const row = await findOrder(services.db, scope, input.uuid)
  if (!row) throw fail('NOT_FOUND')
  const definitions = await listDefinitions(services.db, [on.ownerUuid], 'Order')
  return { ...presentOrder(row, definitions), studies: await listExamsOf(services.db, scope, row.uuid) }
}
