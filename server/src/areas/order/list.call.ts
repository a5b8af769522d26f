import type { orderList } from '@hilum/contract/calls/order'
import { sql } from 'kysely'
import { filterSql, sortSql } from '../../db/filter-sql.ts'
import { filterZone } from '../../db/filter-zone.ts'
import { listDefinitions } from '../customfield/customfield.sql.ts'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { orderColumns, orderSorts } from './order-columns.ts'
import { presentOrder } from './order.presenter.ts'
import { visibleOrders } from './order.policy.ts'
import { listOrders } from './order.sql.ts'

export const list: Handler<typeof orderList> = async ({ services, list: query, caller, on }) => {
  const { number, rows: limit } = query.page
  const found = await listOrders(services.db, await visibleOrders(caller, on), {
    where: filterSql(query.filters, orderColumns, filterZone(caller.timeZone, query.timeZone)),
    orderBy: sortSql(query.sort, orderSorts, sql`o.created desc, o.uuid desc`),
    limit: sql`${limit + 1} offset ${(number - 1) * limit}`,
  })
  const definitions = await listDefinitions(services.db, [on.ownerUuid], 'Order')
  const { rows, page } = toPage(found, query)
  return { orders: rows.map((row) => presentOrder(row, definitions)), page }
}
