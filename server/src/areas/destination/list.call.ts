import type { destinationList } from '@hilum/contract/calls/destination'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { presentDestination } from './destination.presenter.ts'
import { destinationColumns, destinationOrder, listDestinations } from './destination.sql.ts'

export const list: Handler<typeof destinationList> = async ({ services, list: query, caller, on }) => {
  const question = listSql(query, destinationColumns, caller.timeZone, destinationOrder)
  const { rows, page } = toPage(await listDestinations(services.db, on.ownerUuid, question), query)
  return { destinations: rows.map(presentDestination), page }
}
