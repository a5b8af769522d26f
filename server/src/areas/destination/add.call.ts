import { randomUUID } from 'node:crypto'
import type { destinationAdd } from '@hilum/contract/calls/destination'
import type { Handler } from '../handler.ts'
import type { DestinationRow } from './destination.sql.ts'
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

const emptyDestination: Omit<DestinationRow, 'uuid' | 'account_uuid'> = {
  node_uuid: '',
  node_aetitle: '',
  name: '',
  type: 'DICOM',
  aetitle: '',
  address: '',
  port: 0,
  uses_tls: false,
  tls_certificate: null,
  can_search: false,
  can_search_mwl: false,
  can_query_retrieve: false,
  can_push: true,
  retrieve_method: 'auto',
  group_uuids: null,
  max_associations: 2,
  sort_order: null,
  health: null,
}
