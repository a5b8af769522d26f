import type { WebhookEvent } from '@hilum/contract/calls/webhook'
import type { Tx } from '../../db/database.ts'
import { listListening } from './listening.sql.ts'
import { tellWebhook } from './tell-webhook.command.ts'

/** The study of an event, or the place alone where the event has none. A study that waits for approval is told of to nobody. */
interface Told {
  account_uuid: string
  phi_namespace: string
  uuid?: string
  must_approve?: boolean
}

/** Has the webhooks called that listen to an event, in the transaction of the act; each account's for its own studies alone. */
export async function tellEvent(tx: Tx, event: WebhookEvent, told: readonly Told[]): Promise<void> {
  const open = told.filter((one) => !one.must_approve)
  if (open.length === 0) return
  const accounts = new Set(open.map((one) => one.account_uuid))
  const listening = await listListening(tx, [...accounts], event)
  for (const webhook of listening)
    for (const { account_uuid, phi_namespace, uuid } of open)
      if (account_uuid === webhook.account_uuid)
        await tellWebhook(tx, webhook.uuid, { event, phi_namespace, ...(uuid ? { study_uuid: uuid } : {}) })
}
