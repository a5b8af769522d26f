import type { webhookList } from '@hilum/contract/calls/webhook'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { presentWebhook } from './webhook.presenter.ts'
import { listWebhooks, webhookColumns, webhookOrder, webhookSorts } from './webhook.sql.ts'

export const list: Handler<typeof webhookList> = async ({ services, list: query, caller, on }) => {
  const question = listSql(query, webhookColumns, caller.timeZone, webhookOrder, webhookSorts)
  const { rows, page } = toPage(await listWebhooks(services.db, on.ownerUuid, question), query)
  return { webhooks: rows.map(presentWebhook), page }
}
