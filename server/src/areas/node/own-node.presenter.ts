import type { NodeObject } from '@hilum/contract/calls/node'
import type { OwnNode } from './own-node.sql.ts'

export function presentNode({ uuid, account_uuid, name, type, serial_no, aetitle }: OwnNode): NodeObject {
  return { uuid, account_id: account_uuid, name, type, serial_no, aetitle }
}
