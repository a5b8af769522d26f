import type { orderCancel } from '@hilum/contract/calls/order'
import type { Handler } from '../handler.ts'
import { changeOrder } from './change-order.command.ts'
import { saveOrder } from './order-write.sql.ts'
import { changesBetween } from './read-order.ts'

export const cancel: Handler<typeof orderCancel> = async ({ services, input, caller, on, fail }) => {
  const changed = await changeOrder(services, { caller, account: on, uuid: input.uuid }, async (tx, before) => {
    const after = { ...before, is_cancelled: input.undo !== 1 }
    const detail = changesBetween(before, after)
    if (Object.keys(detail).length > 0) await saveOrder(tx, after)
    return { result: undefined, action: 'EDIT', detail }
  })
  if (!changed) throw fail('NOT_FOUND')
  return {}
}
