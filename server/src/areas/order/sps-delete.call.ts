import type { orderSpsDelete } from '@hilum/contract/calls/order'
import { demandUnchanged } from '../demand-unchanged.ts'
import type { Handler } from '../handler.ts'
import { changeOrder } from './change-order.command.ts'
import { deleteStep, findStep } from './order-write.sql.ts'

export const remove: Handler<typeof orderSpsDelete> = async ({ services, input, caller, on, fail }) => {
  const step = await findStep(services.db, input.uuid)
  if (!step) throw fail('NOT_FOUND')
  const gone = await changeOrder(services, { caller, account: on, uuid: step.order_uuid }, async (tx) => {
    // the order is held: nobody changes its steps meanwhile
    if (input.seen) demandUnchanged(input.seen, (await findStep(tx, step.uuid)) ?? {})
    await deleteStep(tx, step.uuid)
    return { result: undefined, action: 'EDIT', detail: { step_deleted: step.uuid } }
  })
  if (!gone) throw fail('NOT_FOUND')
  return {}
}
