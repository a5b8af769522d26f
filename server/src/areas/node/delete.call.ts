import type { nodeDelete } from '@hilum/contract/calls/node'
import type { Handler } from '../handler.ts'
import { deleteOwnNode, findOwnNode, listCallersBy } from './own-node.sql.ts'
import { auditNode } from './save-own-node.command.ts'

export const remove: Handler<typeof nodeDelete> = async ({ services, input, caller, fail }) => {
  await services.db.transaction().execute(async (tx) => {
    const node = await findOwnNode(tx, input.uuid)
    if (!node) throw fail('NOT_FOUND')
    if (!(await deleteOwnNode(tx, node.uuid))) {
      const destinations = await listCallersBy(tx, node.uuid)
      throw fail('HAS_DESTINATIONS', { data: { destinations } })
    }
    await auditNode(tx, caller, node, 'DELETE', { name: node.name, aetitle: node.aetitle })
  })
  return {}
}
