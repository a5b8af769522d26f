import type { WebhookMethod } from '@hilum/contract/calls/webhook'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { type ListSql, totalColumn } from '../list-page.sql.ts'

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

/** Fields that webhooks are found by. */
export const webhookColumns = {
  uuid: { kind: 'uuid', column: sql.ref('w.uuid') },
  name: { kind: 'text', column: sql.ref('w.name') },
  url: { kind: 'text', column: sql.ref('w.url') },
  event: { kind: 'exact', column: sql.ref('w.event') },
  method: { kind: 'exact', column: sql.ref('w.method') },
  suspended: { kind: 'flag', column: sql.ref('w.suspended') },
} as const
export const webhookSorts = {
  ...webhookColumns,
  last_error: { kind: 'exact', column: sql.ref('w.last_error') },
} as const
export const webhookOrder = sql`lower(w.name), w.uuid`

export async function listWebhooks(
  db: Db,
  accountUuid: string,
  { where, orderBy, limit }: ListSql,
): Promise<WebhookRow[]> {
  const { rows } = await sql<WebhookRow>`
    select ${columns}, ${totalColumn}
    from webhook w
    where w.account_uuid = ${accountUuid} and w.deleted_at is null and ${where}
    order by ${orderBy}
    limit ${limit}
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
      sealed_secret = excluded.sealed_secret, row_version = webhook.row_version + 1,
      -- what was changed is given its time
      failing_since = null
  `.execute(tx)
}

export async function markWebhookDeleted(tx: Tx, uuid: string): Promise<void> {
  await sql`update webhook set deleted_at = now() where uuid = ${uuid}`.execute(tx)
}

/**
 * Notes how the last call of a webhook ended, and since when all of them fail. A webhook that is switched off is not called.
 * @param error code of the failure, empty for a call that went well
 */
export async function noteLastError(tx: Tx, uuid: string, error: string): Promise<void> {
  await sql`
    update webhook
    set last_error = ${error},
      failing_since = case when ${error} = 'SWITCHED_OFF' then failing_since when ${error} <> '' then coalesce(failing_since, now()) end
    where uuid = ${uuid}
  `.execute(tx)
}

/** Hours of failed calls alone after which a webhook is told of to administrators. */
const longHours = 24

interface FailingWebhook {
  uuid: string
  account_uuid: string
  name: string
  since: string
}

const failing = sql`
    select w.uuid, w.account_uuid, w.name,
      to_char(w.failing_since at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as since
    from webhook w
    where w.deleted_at is null and not w.suspended
      and w.failing_since < now() - make_interval(hours => ${sql.lit(longHours)})
      -- one failure with no call since is no day of failures
      and exists (
        select
        from webhook_delivery d
        join webhook_attempt a on a.delivery_uuid = d.uuid
        where d.webhook_uuid = w.uuid and a.error not in ('', 'SWITCHED_OFF', 'TOO_MANY_WAITING')
          and a.at >= w.failing_since + make_interval(hours => ${sql.lit(longHours)})
      )`

/** Webhooks of an account all of whose calls failed for a day or longer, the last of them a day after the first, by name. */
export async function listFailingWebhooks(db: Db, accountUuid: string): Promise<FailingWebhook[]> {
  const { rows } = await sql<FailingWebhook>`
    ${failing} and w.account_uuid = ${accountUuid}
    order by lower(w.name), w.uuid
  `.execute(db)
  return rows
}

/** A webhook, if all of its calls failed for a day or longer. */
export async function findFailingWebhook(db: Db, uuid: string): Promise<FailingWebhook | undefined> {
  const { rows } = await sql<FailingWebhook>`${failing} and w.uuid = ${uuid}`.execute(db)
  return rows[0]
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
