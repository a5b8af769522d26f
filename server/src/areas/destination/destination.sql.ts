import type { Destination, DestinationHealth } from '@hilum/contract/calls/destination'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { type ListSql, totalColumn } from '../list-page.sql.ts'

export interface DestinationRow {
  uuid: string
  account_uuid: string
  node_uuid: string
  node_aetitle: string
  name: string
  type: Destination['type']
  aetitle: string
  address: string
  port: number
  uses_tls: boolean
  /** PEM. */
  tls_certificate: string | null
  can_search: boolean
  can_search_mwl: boolean
  can_query_retrieve: boolean
  can_push: boolean
  /** An exam that cannot be looked up there first is sent all the same. */
  push_unchecked: boolean
  push_foreign: boolean
  /** Asked after a push to commit itself to the storage of the images. */
  can_commit: boolean
  retrieve_method: Destination['retrieve_method']
  group_uuids: string[] | null
  max_associations: number
  sort_order: number | null
  health: DestinationHealth | null
  /** The last C-ECHO by the clock; null before the first. */
  echo: Destination['echo']
}

/** Fields that the list is filtered and sorted by. */
export const destinationColumns = {
  uuid: { kind: 'uuid', column: sql.ref('d.uuid') },
  name: { kind: 'text', column: sql.ref('d.name') },
  aetitle: { kind: 'exact', column: sql.ref('d.aetitle') },
  node_id: { kind: 'uuid', column: sql.ref('d.node_uuid') },
  type: { kind: 'exact', column: sql.ref('d.type') },
  can_search: { kind: 'flag', column: sql.ref('d.can_search') },
  can_search_mwl: { kind: 'flag', column: sql.ref('d.can_search_mwl') },
  can_query_retrieve: { kind: 'flag', column: sql.ref('d.can_query_retrieve') },
  can_push: { kind: 'flag', column: sql.ref('d.can_push') },
  sort_order: { kind: 'integer', column: sql.ref('d.sort_order') },
} as const
export const destinationOrder = sql`d.sort_order nulls last, lower(d.name), d.uuid`

const columns = sql`
  d.uuid, d.account_uuid, n.uuid as node_uuid, n.aetitle as node_aetitle, d.name, d.type, d.aetitle, d.address, d.port, d.uses_tls,
  d.tls_certificate, d.can_search, d.can_search_mwl, d.can_query_retrieve, d.can_push, d.push_unchecked, d.push_foreign, d.can_commit,
  d.retrieve_method,
  d.group_uuids, d.max_associations, d.sort_order, d.health,
  case when d.echo_ok is not null then jsonb_build_object(
    'asked_at', to_char(d.echo_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00'),
    'ok', d.echo_ok::integer,
    'since', to_char(d.echo_since at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00'),
    'message', d.echo_message
  ) end as echo`

/** @param ownerUuids the groups, locations or account of places, to list what is open to any of these alone; null for all */
export async function listDestinations(
  db: Db,
  accountUuid: string,
  ownerUuids: readonly string[] | null,
  { where, orderBy, limit }: ListSql,
): Promise<DestinationRow[]> {
  const { rows } = await sql<DestinationRow>`
    select ${columns}, ${totalColumn}
    from destination d
    join node n on n.uuid = d.node_uuid
    where d.account_uuid = ${accountUuid}
      and d.deleted_at is null
      and (${ownerUuids as string[] | null}::uuid[] is null or d.group_uuids is null
        or d.group_uuids && ${ownerUuids as string[] | null}::uuid[])
      and ${where}
    order by ${orderBy}
    limit ${limit}
  `.execute(db)
  return rows
}

/** A destination that was not deleted. */
export async function findDestination(db: Db, uuid: string): Promise<DestinationRow | undefined> {
  const { rows } = await sql<DestinationRow>`
    select ${columns}
    from destination d
    join node n on n.uuid = d.node_uuid
    where d.uuid = ${uuid} and d.deleted_at is null
  `.execute(db)
  return rows[0]
}

/** A destination that was not deleted, which nobody else changes until the transaction ends. */
export async function lockDestination(tx: Tx, uuid: string): Promise<DestinationRow | undefined> {
  await sql`select from destination where uuid = ${uuid} for update`.execute(tx)
  return findDestination(tx, uuid)
}

/** A destination that people of a namespace may use: of its account, and open to its group. */
export async function findOpenDestination(
  db: Db,
  uuid: string,
  namespaceUuid: string,
): Promise<DestinationRow | undefined> {
  const { rows } = await sql<DestinationRow>`
    select ${columns}
    from destination d
    join node n on n.uuid = d.node_uuid
    join namespace place on place.uuid = ${namespaceUuid} and place.account_uuid = d.account_uuid
    where d.uuid = ${uuid}
      and d.deleted_at is null
      and (d.group_uuids is null or place.owner_uuid = any(d.group_uuids))
  `.execute(db)
  return rows[0]
}

/** The destinations of an AE title that are open to a namespace: all, or those alone that studies are sent to. */
export async function listDestinationsByTitle(
  db: Db,
  title: string,
  namespaceUuid: string,
  isForPush: boolean,
): Promise<DestinationRow[]> {
  const { rows } = await sql<DestinationRow>`
    select ${columns}
    from destination d
    join node n on n.uuid = d.node_uuid
    join namespace place on place.uuid = ${namespaceUuid} and place.account_uuid = d.account_uuid
    where d.aetitle = ${title}
      and d.deleted_at is null
      and (d.can_push or not ${isForPush}::boolean)
      and (d.group_uuids is null or place.owner_uuid = any(d.group_uuids))
    order by ${destinationOrder}
  `.execute(db)
  return rows
}

/** Whether another destination of the account is the same peer under the same title. */
export async function hasSamePeer(
  db: Db,
  one: Pick<DestinationRow, 'uuid' | 'account_uuid' | 'aetitle' | 'address' | 'port'>,
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select true as found
    from destination d
    where d.account_uuid = ${one.account_uuid}
      and d.aetitle = ${one.aetitle} and lower(d.address) = lower(${one.address}) and d.port = ${one.port}
      and d.uuid <> ${one.uuid} and d.deleted_at is null
  `.execute(db)
  return rows.length > 0
}

/** How many of these groups belong to the account. */
export async function countGroups(db: Tx, accountUuid: string, uuids: readonly string[]): Promise<number> {
  // a group that is being deleted asks for its uses with its place locked
  await sql`
    select
    from namespace n
    where n.owner_uuid::text = any(${uuids as string[]}::text[]) and n.account_uuid = ${accountUuid}
    order by n.uuid
    for share
  `.execute(db)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from app_group
    where account_uuid = ${accountUuid} and uuid::text = any(${uuids as string[]}::text[])
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** Writes a destination, new or changed. */
export async function saveDestination(db: Db, one: DestinationRow): Promise<void> {
  await sql`
    insert into destination (uuid, account_uuid, node_uuid, name, type, aetitle, address, port, uses_tls, tls_certificate,
      can_search, can_search_mwl, can_query_retrieve, can_push, push_unchecked, push_foreign, can_commit, retrieve_method,
      group_uuids, max_associations, sort_order, health)
    values (${one.uuid}, ${one.account_uuid}, ${one.node_uuid}, ${one.name}, ${one.type}, ${one.aetitle}, ${one.address},
      ${one.port}, ${one.uses_tls}, ${one.tls_certificate}, ${one.can_search}, ${one.can_search_mwl},
      ${one.can_query_retrieve}, ${one.can_push}, ${one.push_unchecked}, ${one.push_foreign}, ${one.can_commit}, ${one.retrieve_method},
      ${one.group_uuids}::uuid[], ${one.max_associations}, ${one.sort_order}::integer, ${json(one.health)}::jsonb)
    on conflict (uuid) do update
    set node_uuid = excluded.node_uuid, name = excluded.name, type = excluded.type, aetitle = excluded.aetitle,
      address = excluded.address, port = excluded.port, uses_tls = excluded.uses_tls,
      tls_certificate = excluded.tls_certificate, can_search = excluded.can_search,
      can_search_mwl = excluded.can_search_mwl, can_query_retrieve = excluded.can_query_retrieve,
      can_push = excluded.can_push, push_unchecked = excluded.push_unchecked, push_foreign = excluded.push_foreign, can_commit = excluded.can_commit,
      retrieve_method = excluded.retrieve_method, group_uuids = excluded.group_uuids,
      max_associations = excluded.max_associations, sort_order = excluded.sort_order, health = excluded.health,
      echo_at = case when ${one.echo !== null}::boolean then destination.echo_at end,
      echo_ok = case when ${one.echo !== null}::boolean then destination.echo_ok end,
      updated = now()
  `.execute(db)
}

export async function setHealth(db: Db, uuid: string, health: DestinationHealth): Promise<void> {
  await sql`
    update destination
    set health = ${json(health)}::jsonb
    where uuid = ${uuid}
  `.execute(db)
}

export async function markDestinationDeleted(db: Db, uuid: string): Promise<void> {
  await sql`
    update destination
    set deleted_at = now(), updated = now()
    where uuid = ${uuid}
  `.execute(db)
}

function json(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}
