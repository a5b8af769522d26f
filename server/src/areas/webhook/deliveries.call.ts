import type { webhookDeliveries } from '@hilum/contract/calls/webhook'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { deliveryColumns, deliveryOrder, listDeliveries } from '../telling/delivery.sql.ts'

export const deliveries: Handler<typeof webhookDeliveries> = async ({ services, input, list: query, caller }) => {
  const question = listSql(query, deliveryColumns, caller.timeZone, deliveryOrder)
  const { rows, page } = toPage(await listDeliveries(services.db, input.uuid, question), query)
  return { deliveries: rows, page }
}
