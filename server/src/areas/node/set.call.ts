import type { nodeSet } from '@hilum/contract/calls/node'
import type { Handler } from '../handler.ts'
import { findOwnNode } from './own-node.sql.ts'
import { setOwnNode } from './save-own-node.command.ts'

export const set: Handler<typeof nodeSet> = async ({ services, input, caller, fail }) => {
  const { uuid, ...options } = input
  await services.db.transaction().execute(async (tx) => {
    const node = await findOwnNode(tx, uuid)
    if (!node) throw fail('NOT_FOUND')
    await setOwnNode(tx, caller, node, options)
  })
  return {}
}
