import { randomUUID } from 'node:crypto'
import type { orderSpsAdd } from '@hilum/contract/calls/order'
import type { Handler } from '../handler.ts'
import { changeOrder } from './change-order.command.ts'
import { emptyStep } from './empty-order.ts'
import { saveStep } from './order-write.sql.ts'
import { readStep } from './read-order.ts'

export const add: Handler<typeof orderSpsAdd> = async ({ services, input, caller, on, fail }) => {
  const added = await changeOrder(services, { caller, account: on, uuid: input.order_id }, async (tx, order) => {
    const names = { uuid: randomUUID(), account_uuid: order.account_uuid, order_uuid: order.uuid }
    const step = readStep({ ...emptyStep, ...names }, input)
    await saveStep(tx, step)
    return { result: step.uuid, action: 'EDIT', detail: { step_added: step.uuid } }
  })
  if (!added) throw fail('NOT_FOUND')
  return { uuid: added.result }
}
