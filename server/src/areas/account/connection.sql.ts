import type { Permission } from '@hilum/contract/permissions'
import type { Connection, ConnectionState } from '@hilum/contract/calls/account-connect'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'
import { type ListSql, totalColumn } from '../list-page.sql.ts'

const stamp = (column: RawBuilder<unknown>) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00')`

/** State of connection `c` as an account sees it. */
const connectionState = (accountUuid: string) => sql<ConnectionState>`case
      when c.connected_at is not null then 'connected'
      when c.asking_account = ${accountUuid} then 'asking'
      else 'asked'
    end`

/** Columns that the connections of an account are found and sorted by. */
export const connectionColumns = (accountUuid: string) =>
  ({
    uuid: { kind: 'uuid', column: sql.ref('c.uuid') },
    account_name: { kind: 'text', column: sql.ref('o.name') },
    state: { kind: 'text', column: connectionState(accountUuid) },
    created: { kind: 'stamp', column: sql.ref('c.created') },
  }) as const satisfies FilterColumns

/** Connections by the other account's name. */
export const connectionOrder = sql`lower(o.name), c.uuid`

/** Whether share `h` from namespace `n` was sent by one account to another over their connection, and has not ended. */
const isSentTo = (from: string, to: RawBuilder<unknown>) => sql`n.account_uuid = ${from} and h.to_kind = 'account'
          and h.to_uuid = ${to} and not h.by_code and h.state in ('scheduled', 'delivered')
          and (h.expires_at is null or h.expires_at > now())`

/** Some of the shares that one account sent to another over their connection and that have not ended, oldest first. */
export async function listSentOver(db: Db, from: string, to: string, most: number): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    select h.uuid
    from share h
    join namespace n on n.uuid = h.from_namespace
    where ${isSentTo(from, sql`${to}::uuid`)}
    order by h.created, h.uuid
    limit ${most}
  `.execute(db)
  return rows.map((row) => row.uuid)
}

/** The connections of an account that have not ended, each with the other account. */
export async function listConnections(
  db: Db,
  accountUuid: string,
  { where, orderBy, limit }: ListSql,
): Promise<Connection[]> {
  const { rows } = await sql<Connection>`
    select c.uuid, o.name as account_name, ${connectionState(accountUuid)} as state, c.message,
      coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email, '') as asked_by_name,
      ${stamp(sql`c.created`)} as created, ${stamp(sql`c.connected_at`)} as connected_at, (
        select count(*)
        from share h
        join namespace n on n.uuid = h.from_namespace
        where ${isSentTo(accountUuid, sql`o.uuid`)}
      )::integer as sent_count, ${totalColumn}
    from account_connection c
    join account o on o.uuid in (c.asking_account, c.asked_account) and o.uuid <> ${accountUuid}
    left join app_user u on u.uuid = c.asked_by
    where ${accountUuid} in (c.asking_account, c.asked_account) and c.ended_at is null and ${where}
    order by ${orderBy}
    limit ${limit}
  `.execute(db)
  return rows
}

/** The accounts that an account is connected with, by name. */
export async function listConnected(
  db: Db,
  accountUuid: string,
): Promise<{ by_name: string; with_id: string; with_name: string }[]> {
  const { rows } = await sql<{ by_name: string; with_id: string; with_name: string }>`
    select a.name as by_name, o.uuid as with_id, o.name as with_name
    from account_connection c
    join account a on a.uuid = ${accountUuid}
    join account o on o.uuid in (c.asking_account, c.asked_account) and o.uuid <> a.uuid
    where a.uuid in (c.asking_account, c.asked_account) and c.ended_at is null and c.connected_at is not null
    order by lower(o.name), o.uuid
  `.execute(db)
  return rows
}

/** Whether two accounts are connected, or one has asked the other. */
export async function hasConnection(db: Db, accountUuid: string, otherAccount: string): Promise<boolean> {
  const { rows } = await sql`
    select
    from account_connection c
    where ${accountUuid} in (c.asking_account, c.asked_account) and ${otherAccount} in (c.asking_account, c.asked_account)
      and c.ended_at is null
  `.execute(db)
  return rows.length > 0
}

/** A connection that has not ended, and its two accounts. */
export interface ConnectionRow {
  uuid: string
  asking_account: string
  asking_name: string
  asked_account: string
  asked_name: string
  is_connected: boolean
}

/** Locks the connection of this uuid, or the one of two accounts. */
export async function lockConnection(
  tx: Tx,
  accountUuid: string,
  by: { uuid: string } | { otherAccount: string },
): Promise<ConnectionRow | undefined> {
  const uuid = 'uuid' in by ? by.uuid : null
  const other = 'otherAccount' in by ? by.otherAccount : null
  const { rows } = await sql<ConnectionRow>`
    select c.uuid, c.asking_account, a.name as asking_name, c.asked_account, b.name as asked_name,
      c.connected_at is not null as is_connected
    from account_connection c
    join account a on a.uuid = c.asking_account
    join account b on b.uuid = c.asked_account
    where ${accountUuid} in (c.asking_account, c.asked_account) and c.ended_at is null
      and (c.uuid = ${uuid} or ${other} in (c.asking_account, c.asked_account))
    for update of c
  `.execute(tx)
  return rows[0]
}

/** Notes that an account asks another; false when the two have a connection by now. */
export async function insertConnection(
  tx: Tx,
  one: { uuid: string; askingAccount: string; askedAccount: string; message: string; askedBy: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into account_connection (uuid, asking_account, asked_account, message, asked_by)
    values (${one.uuid}, ${one.askingAccount}, ${one.askedAccount}, ${one.message}, ${one.askedBy})
    on conflict do nothing
    returning 1
  `.execute(tx)
  return rows.length > 0
}

export async function markConnected(tx: Tx, uuid: string): Promise<void> {
  await sql`update account_connection set connected_at = now() where uuid = ${uuid}`.execute(tx)
}

export async function markConnectionEnded(tx: Tx, uuid: string): Promise<void> {
  await sql`update account_connection set ended_at = now() where uuid = ${uuid}`.execute(tx)
}

/** The account of this name, whatever its case. */
export async function findAccountByName(db: Db, name: string): Promise<{ uuid: string; name: string } | undefined> {
  const { rows } = await sql<{ uuid: string; name: string }>`
    select a.uuid, a.name from account a where lower(a.name) = lower(${name}) and a.closed_at is null
    order by a.uuid limit 1
  `.execute(db)
  return rows[0]
}

export async function findAccountShareCode(db: Db, accountUuid: string): Promise<string> {
  const { rows } = await sql<{ share_code: string }>`
    select a.share_code from account a where a.uuid = ${accountUuid}
  `.execute(db)
  return rows[0]?.share_code ?? ''
}

export async function putAccountShareCode(tx: Tx, accountUuid: string, shareCode: string): Promise<void> {
  await sql`update account set share_code = ${shareCode} where uuid = ${accountUuid}`.execute(tx)
}

/** The people of an account whose login is open, with the permissions of their role there. */
export async function listReachablePeople(
  db: Db,
  accountUuid: string,
): Promise<{ email: string; permissions: Permission[] }[]> {
  const { rows } = await sql<{ email: string; permissions: Permission[] }>`
    select u.email, r.permissions
    from account_user au
    join role r on r.uuid = au.role_uuid
    join app_user u on u.uuid = au.user_uuid and not u.disabled
    where au.account_uuid = ${accountUuid} and not au.disabled
    order by u.email
  `.execute(db)
  return rows
}
