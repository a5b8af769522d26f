import { randomUUID } from 'node:crypto'
import type { Tx } from '../../db/database.ts'
import { declaredJobs } from '../job/declared-jobs.ts'
import { enqueue } from '../job/enqueue.command.ts'
import { insertDelivery, type DeliveredWebhook } from './delivery.sql.ts'

/** Has a webhook called; of one run of a rule once. */
export async function tellWebhook(tx: Tx, webhookUuid: string, delivered: DeliveredWebhook): Promise<void> {
  const uuid = randomUUID()
  if (await insertDelivery(tx, uuid, webhookUuid, delivered)) await putDelivery(tx, webhookUuid, uuid, new Date())
}

/** One call of a webhook at a time, so that a slow address holds up nobody else. */
export async function putDelivery(tx: Tx, webhookUuid: string, deliveryUuid: string, runAt: Date): Promise<void> {
  const lane = { key: deliveryUuid, group: `webhook ${webhookUuid}`, runAt }
  await enqueue(tx, declaredJobs.callWebhook, { deliveryUuid }, lane)
}
