import type { nodeList } from '@hilum/contract/calls/node'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { presentNode } from './own-node.presenter.ts'
import { listOwnNodes, nodeColumns, nodeOrder } from './own-node.sql.ts'

export const list: Handler<typeof nodeList> = async ({ services, list: query, caller, on }) => {
  const question = listSql(query, nodeColumns, caller.timeZone, nodeOrder)
  const { rows, page } = toPage(await listOwnNodes(services.db, on.ownerUuid, question), query)
  return { nodes: rows.map(presentNode), page }
}
