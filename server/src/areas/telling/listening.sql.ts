import type { WebhookEvent } from '@hilum/contract/calls/webhook'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/**
 * Webhooks of these accounts that are switched on and listen to an event. Uses webhook_of_account and
 * webhook_delivery_of_webhook.
 * @param mostEachMinute leaves out those that were told in the last minute of so many things said by the same
 */
export async function listListening(
  tx: Tx,
  accountUuids: readonly string[],
  event: WebhookEvent,
  mostEachMinute: { count: number; saidBy: string | undefined } | undefined,
): Promise<{ uuid: string; account_uuid: string }[]> {
  const most = mostEachMinute?.count ?? null
  const { rows } = await sql<{ uuid: string; account_uuid: string }>`
    /* prepared */
    select w.uuid, w.account_uuid
    from webhook w
    where w.account_uuid = any(${[...accountUuids]}::uuid[]) and w.deleted_at is null
      and w.event = ${event} and not w.suspended
      and (${most}::integer is null or ${most}::integer > (
        select count(*)
        from webhook_delivery d
        where d.webhook_uuid = w.uuid and d.created > now() - interval '1 minute'
          and d.said_by is not distinct from ${mostEachMinute?.saidBy ?? null}::uuid
      ))
    order by w.uuid
  `.execute(tx)
  return rows
}
