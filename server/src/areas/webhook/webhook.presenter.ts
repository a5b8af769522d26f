import type { Webhook } from '@hilum/contract/calls/webhook'
import type { WebhookRow } from './webhook.sql.ts'

export function presentWebhook(row: WebhookRow): Webhook {
  const { uuid, name, event, url, method, parameters, last_error, row_version } = row
  return {
    uuid,
    name,
    event,
    url,
    method,
    suspended: row.suspended ? 1 : 0,
    parameters,
    retry: row.retry ? 1 : 0,
    last_error,
    row_version,
  }
}
