import type { webhookTest } from '@hilum/contract/calls/webhook'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { mayCallWebhook } from './may-call-webhook.ts'
import { tellWebhook } from '../telling/tell-webhook.command.ts'
import { findWebhook } from './webhook.sql.ts'

export const test: Handler<typeof webhookTest> = async ({ services, input, caller, on, fail }) => {
  const row = await findWebhook(services.db, input.uuid)
  if (!row) throw fail('NOT_FOUND')
  if (!(await mayCallWebhook(services.db, row.uuid))) throw fail('LOCKOUT')
  await services.db.transaction().execute(async (tx) => {
    await tellWebhook(tx, row.uuid, { event: 'TEST' })
    await writeAudit(tx, {
      accountUuid: on.ownerUuid,
      caller,
      action: 'TEST',
      type: 'Webhook',
      objectUuid: row.uuid,
    })
  })
  return {}
}
