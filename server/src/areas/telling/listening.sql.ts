import type { WebhookEvent } from '@hilum/contract/calls/webhook'
import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** Webhooks of these accounts that are switched on and listen to an event. Uses webhook_of_account. */
export async function listListening(
  tx: Tx,
  accountUuids: readonly string[],
  event: WebhookEvent,
): Promise<{ uuid: string; account_uuid: string }[]> {
  const { rows } = await sql<{ uuid: string; account_uuid: string }>`
    /* prepared */
    select w.uuid, w.account_uuid
    from webhook w
    where w.account_uuid = any(${[...accountUuids]}::uuid[]) and w.deleted_at is null
      and w.event = ${event} and not w.suspended
    order by w.uuid
  `.execute(tx)
  return rows
}
