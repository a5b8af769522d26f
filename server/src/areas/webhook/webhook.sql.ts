import type { WebhookMethod } from '@hilum/contract/calls/webhook'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

export interface WebhookRow {
  uuid: string
  account_uuid: string
  name: string
  event: string
  url: string
  method: WebhookMethod
  suspended: boolean
  parameters: Record<string, string>
  retry: boolean
  sealed_secret: Buffer
  last_error: string
  row_version: number
}

const columns = sql`
  w.uuid, w.account_uuid, w.name, w.event, w.url, w.method, w.suspended, w.parameters, w.retry, w.sealed_secret,
  w.last_error, w.row_version`

export async function listWebhooks(db: Db, accountUuid: string): Promise<WebhookRow[]> {
  const { rows } = await sql<WebhookRow>`
    select ${columns}
    from webhook w
    where w.account_uuid = ${accountUuid} and w.deleted_at is null
    order by lower(w.name), w.uuid
  `.execute(db)
  return rows
}

export async function findWebhook(db: Db, uuid: string): Promise<WebhookRow | undefined> {
  const { rows } = await sql<WebhookRow>`
    select ${columns} from webhook w where w.uuid = ${uuid} and w.deleted_at is null
  `.execute(db)
  return rows[0]
}

export async function lockWebhook(tx: Tx, uuid: string): Promise<WebhookRow | undefined> {
  const { rows } = await sql<WebhookRow>`
    select ${columns} from webhook w where w.uuid = ${uuid} and w.deleted_at is null for update
  `.execute(tx)
  return rows[0]
}

export async function saveWebhook(tx: Tx, one: WebhookRow): Promise<void> {
  await sql`
    insert into webhook (uuid, account_uuid, name, event, url, method, suspended, parameters, retry, sealed_secret)
    values (${one.uuid}, ${one.account_uuid}, ${one.name}, ${one.event}, ${one.url}, ${one.method}, ${one.suspended},
      ${JSON.stringify(one.parameters)}::jsonb, ${one.retry}, ${one.sealed_secret})
    on conflict (uuid) do update
    set name = excluded.name, event = excluded.event, url = excluded.url, method = excluded.method,
      suspended = excluded.suspended, parameters = excluded.parameters, retry = excluded.retry,
      sealed_secret = excluded.sealed_secret, row_version = webhook.row_version + 1
  `.execute(tx)
}

export async function markWebhookDeleted(tx: Tx, uuid: string): Promise<void> {
  await sql`update webhook set deleted_at = now() where uuid = ${uuid}`.execute(tx)
}

export async function noteLastError(tx: Tx, uuid: string, error: string): Promise<void> {
  await sql`update webhook set last_error = ${error} where uuid = ${uuid}`.execute(tx)
}

/** Names of the routing rules that call a webhook. */
export async function listRulesThatCall(db: Db, accountUuid: string, uuid: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select r.name
    from routing_rule r
    where r.account_uuid = ${accountUuid} and r.deleted_at is null
      and r.actions @> ${JSON.stringify([{ webhook: uuid }])}::jsonb
    order by r.sequence, r.uuid
  `.execute(db)
  return rows.map((row) => row.name)
}
