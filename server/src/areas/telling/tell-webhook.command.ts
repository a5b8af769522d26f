import { randomUUID } from 'node:crypto'
import type { Tx } from '../../db/database.ts'
import { declaredJobs } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import {
  type CalledWebhook,
  type DeliveredWebhook,
  findCalled,
  insertAttempt,
  insertDelivery,
  markDelivery,
} from './delivery.sql.ts'

/** Has a webhook called; of one run of a rule once. Too many that wait for one webhook are told of as failed. */
export async function tellWebhook(tx: Tx, webhookUuid: string, delivered: DeliveredWebhook): Promise<void> {
  const uuid = randomUUID()
  const webhook = await findCalled(tx, webhookUuid)
  if (!webhook || !(await insertDelivery(tx, uuid, webhookUuid, delivered))) return
  if (!webhook.is_full) return put(tx, webhook, uuid, new Date())
  const at = new Date()
  await insertAttempt(tx, uuid, { number: 1, at, status: 0, error: 'TOO_MANY_WAITING', milliseconds: 0 })
  await markDelivery(tx, uuid, 'failed')
}

/** Has a delivery tried, or tried again. */
export async function putDelivery(tx: Tx, webhookUuid: string, deliveryUuid: string, runAt: Date): Promise<void> {
  const webhook = await findCalled(tx, webhookUuid)
  if (webhook) await put(tx, webhook, deliveryUuid, runAt)
}

/** One call at a time to each host that an account calls, and two of an account: a slow address holds up no other, however many webhooks call it. */
async function put(tx: Tx, { account_uuid, url }: CalledWebhook, deliveryUuid: string, runAt: Date): Promise<void> {
  const lane = { key: deliveryUuid, group: `webhook ${account_uuid}/${new URL(url).host}`, runAt }
  await enqueue(tx, declaredJobs.callWebhook, { deliveryUuid }, lane)
}
