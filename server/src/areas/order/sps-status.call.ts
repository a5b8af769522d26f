import type { orderSpsStatus } from '@hilum/contract/calls/order'
import { findValueFault } from '@hilum/dicom/value-rules'
import type { Handler } from '../handler.ts'
import { changeOrder } from './change-order.command.ts'
import { findProgress, setStepStatus } from './order-message.sql.ts'
import { findStep } from './order-write.sql.ts'
import { changesBetween } from './read-order.ts'

export const setStatus: Handler<typeof orderSpsStatus> = async ({ services, input, caller, on, fail }) => {
  const step = await findStep(services.db, input.uuid)
  if (!step) throw fail('NOT_FOUND')
  const changed = await changeOrder(services, { caller, account: on, uuid: step.order_uuid }, async (tx) => {
    const before = await findProgress(tx, step.uuid)
    if (!before) throw fail('NOT_FOUND')
    const { mpps_status, mpps_uid = before.mpps_uid } = input
    if (findValueFault(mpps_uid, 'UI')) throw fail('INVALID_FIELD', { subtype: 'mpps_uid' })
    const after = { mpps_status, mpps_uid }
    await setStepStatus(tx, step.uuid, after)
    return { result: undefined, action: 'EDIT', detail: changesBetween(before, after) }
  })
  if (!changed) throw fail('NOT_FOUND')
  return {}
}
