import { randomUUID } from 'node:crypto'
import type { orderSpsAdd } from '@hilum/contract/calls/order'
import type { Handler } from '../handler.ts'
import { changeOrder } from './change-order.command.ts'
import { saveStep } from './order-write.sql.ts'
import { readStep } from './read-order.ts'

export const add: Handler<typeof orderSpsAdd> = async ({ services, input, caller, on, fail }) => {
  const added = await changeOrder(services.db, { caller, account: on, uuid: input.order_id }, async (tx, order) => {
    const names = { uuid: randomUUID(), account_uuid: order.account_uuid, order_uuid: order.uuid }
    const step = readStep({ ...empty, ...names }, input)
    await saveStep(tx, step)
    return { result: step.uuid, action: 'EDIT', detail: { step_added: step.uuid } }
  })
  if (!added) throw fail('NOT_FOUND')
  return { uuid: added.result }
}

const empty = {
  modality: '',
  scheduled_procedure_step_id: '',
  requested_procedure_id: '',
  requested_procedure_description: '',
  scheduled_station_aetitle: '',
  scheduled_procedure_step_start_date: '',
  scheduled_procedure_step_start_time: '',
  scheduled_procedure_step_description: '',
}
