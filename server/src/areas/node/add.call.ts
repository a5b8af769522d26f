import type { nodeAdd } from '@hilum/contract/calls/node'
import type { Handler } from '../handler.ts'
import { addOwnNode } from './save-own-node.command.ts'

export const add: Handler<typeof nodeAdd> = async ({ services, input, caller, on }) => {
  const { name, aetitle } = input
  const node = await services.db
    .transaction()
    .execute((tx) => addOwnNode(tx, caller, { accountUuid: on.ownerUuid, name, aetitle }))
  return { uuid: node.uuid, serial_no: node.serial_no }
}
