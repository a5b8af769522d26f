import { mayDo } from '@hilum/contract/acts'
import { destinationList } from '@hilum/contract/calls/destination'
import { placesOfAccount } from '../../access/places-of-account.ts'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { presentDestination, presentUsableDestination } from './destination.presenter.ts'
import { destinationColumns, destinationOrder, listDestinations } from './destination.sql.ts'

const { may, mayInPlace } = destinationList.on

export const list: Handler<typeof destinationList> = async ({ services, list: query, caller, on }) => {
  const question = listSql(query, destinationColumns, caller.timeZone, destinationOrder)
  if (mayDo(may, on)) {
    const { rows, page } = toPage(await listDestinations(services.db, on.ownerUuid, null, question), query)
    return { destinations: rows.map(presentDestination), page }
  }
  const places = await placesOfAccount(caller, on.ownerUuid, mayInPlace)
  const owners = places.map((one) => one.ownerUuid)
  const { rows, page } = toPage(await listDestinations(services.db, on.ownerUuid, owners, question), query)
  return { destinations: rows.map((row) => presentUsableDestination(row, owners)), page }
}
