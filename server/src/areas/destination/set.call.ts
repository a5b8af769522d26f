import type { destinationSet } from '@hilum/contract/calls/destination'
import { demandUnchanged } from '../demand-unchanged.ts'
import type { Handler } from '../handler.ts'
import { presentDestination } from './destination.presenter.ts'
import { lockDestination } from './destination.sql.ts'
import { readDestination } from './read-destination.ts'
import { storeDestination } from './save-destination.command.ts'

export const set: Handler<typeof destinationSet> = async ({ services, input, caller, fail }) => {
  const { uuid, node_id: nodeUuid, group_ids: groupUuids, seen, ...values } = input
  await services.db.transaction().execute(async (tx) => {
    const before = await lockDestination(tx, uuid)
    if (!before) throw fail('NOT_FOUND')
    demandUnchanged(seen, presentDestination(before))
    await storeDestination(tx, caller, before, readDestination(before, values), { nodeUuid, groupUuids })
  })
  return {}
}
