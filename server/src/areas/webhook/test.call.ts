import type { webhookTest } from '@hilum/contract/calls/webhook'
import type { Handler } from '../handler.ts'
import { tellWebhook } from './tell-webhook.command.ts'
import { findWebhook } from './webhook.sql.ts'

export const test: Handler<typeof webhookTest> = async ({ services, input, fail }) => {
  const row = await findWebhook(services.db, input.uuid)
  if (!row) throw fail('NOT_FOUND')
  await services.db.transaction().execute((tx) => tellWebhook(tx, row.uuid, { event: 'TEST' }))
  return {}
}
