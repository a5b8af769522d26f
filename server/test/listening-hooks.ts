import { randomUUID } from 'node:crypto'
import type { WebhookEvent } from '@hilum/contract/calls/webhook'
import type { TestApp } from './test-app.ts'

/** A webhook of an account that listens to an event. */
export async function listenTo(
  { query }: Pick<TestApp, 'query'>,
  accountUuid: string,
  event: WebhookEvent,
): Promise<string> {
  const uuid = randomUUID()
  await query(`insert into webhook (uuid, account_uuid, name, event, url, method, suspended, parameters, retry, sealed_secret)
    values ('${uuid}', '${accountUuid}', '${event} ${uuid}', '${event}', 'https://hooks.invalid/in', 'POST_JSON', false, '{}',
      false, '')`)
  return uuid
}

/** The studies of which a webhook was told, in the order of the acts; '' for an event of a place alone. */
export async function deliveredStudies({ query }: Pick<TestApp, 'query'>, webhook: string): Promise<string[]> {
  const rows = await query<{ study: string }>(
    `select coalesce(study_uuid::text, '') as study from webhook_delivery where webhook_uuid = '${webhook}'
    order by created, study_uuid`,
  )
  return rows.map(({ study }) => study)
}
