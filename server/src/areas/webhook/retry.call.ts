import type { webhookTryAgain } from '@hilum/contract/calls/webhook'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { findDelivery, markDelivery } from '../telling/delivery.sql.ts'
import { mayCallWebhook } from './may-call-webhook.ts'
import { putDelivery } from '../telling/tell-webhook.command.ts'

export const retry: Handler<typeof webhookTryAgain> = async ({ services, input, caller, on, fail }) => {
  if (!(await mayCallWebhook(services.db, input.uuid))) throw fail('LOCKOUT')
  await services.db.transaction().execute(async (tx) => {
    const delivery = await findDelivery(tx, input.delivery_id)
    if (delivery?.webhook_uuid !== input.uuid) throw fail('NOT_FOUND')
    if (delivery.state !== 'failed') throw fail('ALREADY_EXISTS')
    await markDelivery(tx, delivery.uuid, 'waiting')
    await putDelivery(tx, input.uuid, delivery.uuid, new Date())
    await writeAudit(tx, {
      accountUuid: on.ownerUuid,
      caller,
      action: 'SEND',
      type: 'Webhook',
      objectUuid: input.uuid,
      detail: { delivery: delivery.uuid },
    })
  })
  return {}
}
