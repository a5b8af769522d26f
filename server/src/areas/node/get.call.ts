import type { nodeGet } from '@hilum/contract/calls/node'
import type { Handler } from '../handler.ts'
import { presentNode } from './own-node.presenter.ts'
import { findOwnNode } from './own-node.sql.ts'

export const get: Handler<typeof nodeGet> = async ({ services, input, fail }) => {
  const node = await findOwnNode(services.db, input.uuid)
  if (!node) throw fail('NOT_FOUND')
  return presentNode(node)
}
