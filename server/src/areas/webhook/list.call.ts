import type { webhookList } from '@hilum/contract/calls/webhook'
import type { Handler } from '../handler.ts'
import { presentWebhook } from './webhook.presenter.ts'
import { listWebhooks } from './webhook.sql.ts'

export const list: Handler<typeof webhookList> = async ({ services, on }) => ({
  webhooks: (await listWebhooks(services.db, on.ownerUuid)).map(presentWebhook),
})
