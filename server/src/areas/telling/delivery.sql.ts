import type { WebhookDelivery } from '@hilum/contract/calls/webhook'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'
import { type ListSql, totalColumn } from '../list-page.sql.ts'

/** The payload of a webhook: ids alone. */
export interface DeliveredWebhook {
  event: string
  phi_namespace?: string
  study_uuid?: string | undefined
  rule_uuid?: string
  run_uuid?: string
  /** The request, place of a share code, or person by whose word it is told, where anybody may say such a thing. */
  said_by?: string | undefined
}

export interface DeliveryRow {
  uuid: string
  webhook_uuid: string
  event: string
  phi_namespace: string | null
  study_uuid: string | null
  study_uid: string | null
  rule_uuid: string | null
  rule_name: string | null
  state: 'waiting' | 'done' | 'failed'
  attempts: number
}

/** Deliveries of one webhook that wait; what happens meanwhile is not told. */
export const mostWaitingDeliveries = 2_000

/** The address of a webhook, and whether too many of its deliveries wait. */
export interface CalledWebhook {
  account_uuid: string
  url: string
  is_full: boolean
}

/** A webhook that is to be called, also one that was deleted since: the call says so. Uses webhook_delivery_waiting. */
export async function findCalled(tx: Tx, uuid: string): Promise<CalledWebhook | undefined> {
  const { rows } = await sql<CalledWebhook>`
    select w.account_uuid, w.url, (
        select count(*)
        from (
          select
          from webhook_delivery d
          where d.webhook_uuid = w.uuid and d.state = 'waiting'
          limit ${mostWaitingDeliveries}
        ) waiting
      ) >= ${mostWaitingDeliveries} as is_full
    from webhook w
    where w.uuid = ${uuid}
  `.execute(tx)
  return rows[0]
}

/** Enters what is to be told; false when the same run told it before. */
export async function insertDelivery(
  tx: Tx,
  uuid: string,
  webhookUuid: string,
  delivered: DeliveredWebhook,
): Promise<boolean> {
  const { rows } = await sql`
    insert into webhook_delivery (uuid, webhook_uuid, event, phi_namespace, study_uuid, rule_uuid, run_uuid, said_by)
    values (${uuid}, ${webhookUuid}, ${delivered.event}, ${delivered.phi_namespace ?? null}, ${delivered.study_uuid ?? null},
      ${delivered.rule_uuid ?? null}, ${delivered.run_uuid ?? null}, ${delivered.said_by ?? null})
    on conflict (run_uuid, webhook_uuid) where run_uuid is not null do nothing
    returning uuid
  `.execute(tx)
  return rows.length > 0
}

export async function findDelivery(db: Db, uuid: string): Promise<DeliveryRow | undefined> {
  const { rows } = await sql<DeliveryRow>`
    select d.uuid, d.webhook_uuid, d.event, d.phi_namespace, d.study_uuid, s.study_uid, d.rule_uuid, r.name as rule_name,
      d.state,
      (select count(*)::integer from webhook_attempt a where a.delivery_uuid = d.uuid) as attempts
    from webhook_delivery d
    left join study s on s.uuid = d.study_uuid
    left join routing_rule r on r.uuid = d.rule_uuid
    where d.uuid = ${uuid}
  `.execute(db)
  return rows[0]
}

export async function insertAttempt(
  tx: Tx,
  deliveryUuid: string,
  one: { number: number; at: Date; status: number; error: string; milliseconds: number },
): Promise<void> {
  await sql`
    insert into webhook_attempt (delivery_uuid, number, at, status, error, milliseconds)
    values (${deliveryUuid}, ${one.number}, ${one.at}, ${one.status}, ${one.error}, ${one.milliseconds})
    on conflict do nothing
  `.execute(tx)
}

export async function markDelivery(tx: Tx, uuid: string, state: DeliveryRow['state']): Promise<void> {
  await sql`update webhook_delivery set state = ${state} where uuid = ${uuid}`.execute(tx)
}

/**
 * Forgets the oldest of what was told long ago, and of what never ended, with its attempts. Uses webhook_delivery_oldest.
 * @param most how many at once
 * @returns how many there were
 */
export async function deleteDeliveriesBefore(db: Db, before: Date, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with old as (
      delete from webhook_delivery
      where uuid in (
        select o.uuid
        from webhook_delivery o
        where o.created < ${before}
        order by o.created
        limit ${most}
      )
      returning uuid
    ), attempts as (
      delete from webhook_attempt a
      using old
      where a.delivery_uuid = old.uuid
    )
    select count(*)::integer as count from old
  `.execute(db)
  return rows[0]?.count ?? 0
}

export const deliveryColumns: FilterColumns = {
  state: { kind: 'exact', column: sql`d.state` },
  created: { kind: 'stamp', column: sql`d.created` },
}
export const deliveryOrder = sql`d.created desc, d.uuid`

export async function listDeliveries(db: Db, webhookUuid: string, list: ListSql): Promise<WebhookDelivery[]> {
  const { rows } = await sql<WebhookDelivery>`
    select d.uuid, d.event, d.state, d.study_uuid as study_id, coalesce(r.name, '') as route_name,
      to_char(d.created at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as created,
      (
        select coalesce(json_agg(json_build_object(
            'number', a.number,
            'at', to_char(a.at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00'),
            'status', a.status, 'error', a.error, 'milliseconds', a.milliseconds
          ) order by a.number), '[]')
        from webhook_attempt a
        where a.delivery_uuid = d.uuid
      ) as attempts, ${totalColumn}
    from webhook_delivery d
    left join routing_rule r on r.uuid = d.rule_uuid
    where d.webhook_uuid = ${webhookUuid} and ${list.where}
    order by ${list.orderBy}
    limit ${list.limit}
  `.execute(db)
  return rows
}
