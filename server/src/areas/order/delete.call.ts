import type { orderDelete } from '@hilum/contract/calls/order'
import type { Handler } from '../handler.ts'
import { changeOrder } from './change-order.command.ts'
import { deleteOrder } from './order-write.sql.ts'

export const remove: Handler<typeof orderDelete> = async ({ services, input, caller, on, fail }) => {
  const gone = await changeOrder(services, { caller, account: on, uuid: input.uuid }, async (tx, order) => {
    await deleteOrder(tx, order.uuid)
    return { result: undefined, action: 'DELETE', detail: { accession_number: order.accession_number } }
  })
  if (!gone) throw fail('NOT_FOUND')
  return {}
}
