import type { orderTake } from '@hilum/contract/calls/order'
import type { Handler } from '../handler.ts'
import { findSearch } from '../retrieve/search.sql.ts'
import { takeFromWorklist } from './take-from-worklist.command.ts'

export const take: Handler<typeof orderTake> = async ({ services, input, caller, on, fail }) => {
  const search = await findSearch(services.db, input.destination_search_id)
  const found = search?.user_uuid === caller.userUuid && search.worklist ? search.orders[input.item] : undefined
  if (!search || !found) throw fail('NOT_FOUND')
  const place = { accountUuid: on.accountUuid, namespaceUuid: search.phi_namespace }
  const uuid = await services.db
    .transaction()
    .execute((tx) => takeFromWorklist(tx, caller, place, search.destination_uuid, found))
  services.events.ring()
  return { uuid }
}
