import type { orderSpsSet } from '@hilum/contract/calls/order'
import { demandUnchanged } from '../demand-unchanged.ts'
import type { Handler } from '../handler.ts'
import { changeOrder } from './change-order.command.ts'
import { findStep, saveStep } from './order-write.sql.ts'
import { changesBetween, readStep } from './read-order.ts'

export const set: Handler<typeof orderSpsSet> = async ({ services, input, caller, on, fail }) => {
  const step = await findStep(services.db, input.uuid)
  if (!step) throw fail('NOT_FOUND')
  const changed = await changeOrder(services, { caller, account: on, uuid: step.order_uuid }, async (tx) => {
    // the order is held: nobody changes its steps meanwhile
    const before = await findStep(tx, step.uuid)
    if (!before) throw fail('NOT_FOUND')
    demandUnchanged(input.seen, before)
    const after = readStep(before, input)
    await saveStep(tx, after)
    return { result: undefined, action: 'EDIT', detail: changesBetween(before, after) }
  })
  if (!changed) throw fail('NOT_FOUND')
  return {}
}
