import type { Services } from '../../services.ts'
import { sendWebhook } from '../../outbound/webhook/send-webhook.ts'
import { mailAdministrators } from '../installation/mail-administrators.command.ts'
import type { Run } from '../job.ts'
import type { PayloadOf } from '../job/declared-jobs.ts'
import { webhookMail } from '../mail/mail-texts.ts'
import { type DeliveryRow, findDelivery, insertAttempt, markDelivery } from '../telling/delivery.sql.ts'
import { putDelivery } from '../telling/tell-webhook.command.ts'
import { findFailingWebhook, findWebhook, noteLastError } from './webhook.sql.ts'

/** Minutes before the next try of a call that failed (`api-facts`, webhook events). */
const pauses = [1, 10, 60]

/** Calls an address and puts the attempt on record; a failure is tried again, three times at most. */
export async function callWebhook(
  services: Services,
  { deliveryUuid }: PayloadOf<'callWebhook'>,
  { signal }: Pick<Run, 'signal'>,
): Promise<void> {
  const { db, sealer, config } = services
  const delivery = await findDelivery(db, deliveryUuid)
  if (delivery?.state !== 'waiting') return
  const webhook = await findWebhook(db, delivery.webhook_uuid)
  const secret = webhook && sealer.open(webhook.sealed_secret, webhook.uuid)
  const at = new Date()
  const answer =
    webhook && secret !== undefined && !webhook.suspended
      ? await sendWebhook(
          {
            url: webhook.url,
            method: webhook.method,
            secret,
            delivery: delivery.uuid,
            fields: { ...webhook.parameters, ...fieldsOf(delivery, at) },
            at,
          },
          { allowsPrivate: config.webhooksToPrivate, signal },
        )
      : { status: 0, error: 'SWITCHED_OFF' }
  const number = delivery.attempts + 1
  const pause = answer.error && answer.error !== 'SWITCHED_OFF' && webhook?.retry ? pauses[number - 1] : undefined
  await db.transaction().execute(async (tx) => {
    const milliseconds = Date.now() - at.getTime()
    await insertAttempt(tx, delivery.uuid, { number, at, ...answer, milliseconds })
    await noteLastError(tx, delivery.webhook_uuid, answer.error)
    if (pause) await putDelivery(tx, delivery.webhook_uuid, delivery.uuid, new Date(Date.now() + pause * 60_000))
    else await markDelivery(tx, delivery.uuid, answer.error ? 'failed' : 'done')
  })
  if (answer.error) await mailOfFailing(services, delivery.webhook_uuid)
}

/** Mails the administrators of its account, once, that a webhook fails for long. */
async function mailOfFailing(services: Services, uuid: string): Promise<void> {
  const webhook = await findFailingWebhook(services.db, uuid)
  if (!webhook) return
  await mailAdministrators(services, {
    warning: `webhook ${uuid} ${webhook.since}`,
    accountUuid: webhook.account_uuid,
    write: webhookMail,
  })
}

/** Ids alone: an outside service reads a study with a key of its own, on record. */
function fieldsOf(delivery: DeliveryRow, at: Date): Record<string, string> {
  const { event, study_uuid, study_uid, phi_namespace, rule_uuid, rule_name } = delivery
  const fields = {
    event,
    delivery: delivery.uuid,
    at: at.toISOString(),
    study_id: study_uuid,
    study_uid,
    phi_namespace,
    route_id: rule_uuid,
    route_name: rule_name,
  }
  return Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
}
