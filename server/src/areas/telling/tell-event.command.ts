import type { WebhookEvent } from '@hilum/contract/calls/webhook'
import type { Tx } from '../../db/database.ts'
import { listListening } from './listening.sql.ts'
import { tellWebhook } from './tell-webhook.command.ts'

interface EventPlace {
  account_uuid: string
  phi_namespace: string
}

/** The study of an event, or the place alone where the event has none. A study that waits for approval is told of to nobody. */
type EventSubject = (EventPlace & { uuid: string; must_approve: boolean }) | (EventPlace & { uuid?: undefined })

/** Events that anybody makes without a login, as often as the person likes. */
const eventsBySaying: ReadonlySet<WebhookEvent> = new Set([
  'STUDY_UPLOAD_START',
  'STUDY_UPLOAD_END',
  'STUDY_UPLOAD_LINK',
])

/** Most of these events that one webhook is told of in a minute, by the same request, share code or person. */
const mostEachMinute = 120

/** The subject of an event that is told of a place alone while its study waits: that something came is news to whoever approves. */
export function studyOrPlace(record: EventPlace & { uuid: string; must_approve: boolean }): EventSubject {
  const { account_uuid, phi_namespace, uuid, must_approve } = record
  return must_approve ? { account_uuid, phi_namespace } : { account_uuid, phi_namespace, uuid, must_approve }
}

/**
 * Has the webhooks called that listen to an event, in the transaction of the act; each account's for its own studies alone.
 * @param saidBy the request, place of a share code or person by whose word it happened: each is counted by itself, so that
 * a flood of one keeps nobody else's from being told
 */
export async function tellEvent(
  tx: Tx,
  event: WebhookEvent,
  subjects: readonly EventSubject[],
  saidBy?: string,
): Promise<void> {
  const open = subjects.filter((one) => one.uuid === undefined || !one.must_approve)
  if (open.length === 0) return
  const accounts = new Set(open.map((one) => one.account_uuid))
  const most = eventsBySaying.has(event) ? { count: mostEachMinute, saidBy } : undefined
  const listening = await listListening(tx, [...accounts], event, most)
  for (const webhook of listening)
    for (const { account_uuid, phi_namespace, uuid } of open)
      if (account_uuid === webhook.account_uuid)
        await tellWebhook(tx, webhook.uuid, { event, phi_namespace, study_uuid: uuid, said_by: saidBy })
}
