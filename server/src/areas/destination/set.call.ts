import type { destinationSet } from '@hilum/contract/calls/destination'
import type { Handler } from '../handler.ts'
import { findDestination } from './destination.sql.ts'
import { readDestination } from './read-destination.ts'
import { storeDestination } from './save-destination.command.ts'

export const set: Handler<typeof destinationSet> = async ({ services, input, caller, fail }) => {
  const { uuid, node_id: nodeUuid, group_ids: groupUuids, ...values } = input
  await services.db.transaction().execute(async (tx) => {
    const before = await findDestination(tx, uuid)
    if (!before) throw fail('NOT_FOUND')
    await storeDestination(tx, caller, before, readDestination(before, values), { nodeUuid, groupUuids })
  })
  return {}
}
