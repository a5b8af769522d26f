import type { webhookDelete } from '@hilum/contract/calls/webhook'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { listRulesThatCall, lockWebhook, markWebhookDeleted } from './webhook.sql.ts'

export const remove: Handler<typeof webhookDelete> = async ({ services, input, caller, on, fail }) => {
  await services.db.transaction().execute(async (tx) => {
    const row = await lockWebhook(tx, input.uuid)
    if (!row) throw fail('NOT_FOUND')
    const rules = await listRulesThatCall(tx, on.ownerUuid, row.uuid)
    if (rules.length > 0) throw fail('IN_USE', { data: { routes: rules } })
    await markWebhookDeleted(tx, row.uuid)
    await writeAudit(tx, {
      accountUuid: on.ownerUuid,
      caller,
      action: 'DELETE',
      type: 'Webhook',
      objectUuid: row.uuid,
      detail: { name: row.name },
    })
  })
  return {}
}
