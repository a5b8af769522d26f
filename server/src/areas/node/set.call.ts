import type { nodeSet } from '@hilum/contract/calls/node'
import { demandUnchanged } from '../demand-unchanged.ts'
import type { Handler } from '../handler.ts'
import { presentNode } from './own-node.presenter.ts'
import { findOwnNode, lockTitles } from './own-node.sql.ts'
import { setOwnNode } from './save-own-node.command.ts'

export const set: Handler<typeof nodeSet> = async ({ services, input, caller, fail }) => {
  const { uuid, seen, ...options } = input
  await services.db.transaction().execute(async (tx) => {
    // before the node is read, so that of two people at once the second one is told of the first
    await lockTitles(tx)
    const node = await findOwnNode(tx, uuid)
    if (!node) throw fail('NOT_FOUND')
    demandUnchanged(seen, presentNode(node))
    await setOwnNode(tx, caller, node, options)
  })
  return {}
}
