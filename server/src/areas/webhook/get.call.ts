import type { webhookGet } from '@hilum/contract/calls/webhook'
import type { Handler } from '../handler.ts'
import { presentWebhook } from './webhook.presenter.ts'
import { findWebhook } from './webhook.sql.ts'

export const get: Handler<typeof webhookGet> = async ({ services, input, fail }) => {
  const row = await findWebhook(services.db, input.uuid)
  if (!row) throw fail('NOT_FOUND')
  return presentWebhook(row)
}
