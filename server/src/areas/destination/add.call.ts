import { randomUUID } from 'node:crypto'
import type { destinationAdd } from '@hilum/contract/calls/destination'
import type { Handler } from '../handler.ts'
import { emptyDestination } from './empty-destination.ts'
import { readDestination } from './read-destination.ts'
import { storeDestination } from './save-destination.command.ts'

export const add: Handler<typeof destinationAdd> = async ({ services, input, caller, on }) => {
  const { account_id: _account, node_id: nodeUuid, group_ids: groupUuids, ...values } = input
  const uuid = randomUUID()
  const destination = readDestination({ ...emptyDestination, uuid, account_uuid: on.ownerUuid }, values)
  await services.db
    .transaction()
    .execute((tx) => storeDestination(tx, caller, undefined, destination, { nodeUuid, groupUuids }))
  return { uuid }
}
