import { randomUUID } from 'node:crypto'
import type { TestApp } from './test-app.ts'

/** A destination of an account, and the node that calls it. */
export interface MadeDestination {
  uuid: string
  nodeUuid: string
}

/** A destination that may do everything; by default nothing listens there. The account's node is made with the first. */
export async function makeDestination(
  { query }: Pick<TestApp, 'query'>,
  accountUuid: string,
  { port = 1, title = 'PEER', name = 'Peer', nodeTitle = randomUUID().slice(0, 16) } = {},
): Promise<MadeDestination> {
  const [existing] = await query<{ uuid: string }>(`select uuid from node where account_uuid = '${accountUuid}'`)
  const nodeUuid = existing?.uuid ?? randomUUID()
  if (!existing) {
    await query(`insert into node (uuid, account_uuid, name, type, aetitle)
      values ('${nodeUuid}', '${accountUuid}', 'Own', 'VIRTUAL', '${nodeTitle}')`)
  }
  const uuid = randomUUID()
  // one peer is one destination: an earlier one makes room
  await query(`update destination set deleted_at = now()
    where account_uuid = '${accountUuid}' and aetitle = '${title}' and port = ${port} and deleted_at is null`)
  await query(`insert into destination (uuid, account_uuid, node_uuid, name, type, aetitle, address, port, can_search,
      can_search_mwl, can_query_retrieve)
    values ('${uuid}', '${accountUuid}', '${nodeUuid}', '${name}', 'DICOM', '${title}', '127.0.0.1', ${port}, true, true,
      true)`)
  return { uuid, nodeUuid }
}
