import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** Name of an account that is open still, with its row locked. */
export async function lockOpenAccount(
  tx: Tx,
  accountUuid: string,
): Promise<{ name: string; namespace_uuid: string } | undefined> {
  const { rows } = await sql<{ name: string; namespace_uuid: string }>`
    select name, namespace_uuid
    from account
    where uuid = ${accountUuid} and closed_at is null
    for update
  `.execute(tx)
  return rows[0]
}

export async function hasOtherOpenAccount(tx: Tx, accountUuid: string): Promise<boolean> {
  const { rows } = await sql`
    select from account where uuid <> ${accountUuid} and closed_at is null limit 1
  `.execute(tx)
  return rows.length > 0
}

/** Locks the places of an account against studies that come in, until the transaction ends. */
export async function lockPlaces(tx: Tx, accountUuid: string): Promise<void> {
  await sql`select from namespace where account_uuid = ${accountUuid} order by uuid for update`.execute(tx)
}

/** Whether a study lies in any place of an account, those of its people among them; the bins do not count. */
export async function hasStudiesLeft(tx: Tx, accountUuid: string): Promise<boolean> {
  const { rows } = await sql`
    select
    from namespace n
    where n.account_uuid = ${accountUuid}
      and exists (select from study s where s.phi_namespace = n.uuid and s.deleted_at is null)
    limit 1
  `.execute(tx)
  return rows.length > 0
}

interface FormerMember {
  user_uuid: string
  /** Looks after the installation. */
  is_operator: boolean
  /** Another account that the person belongs to. */
  other_account: string | null
}

export async function listFormerMembers(tx: Tx, accountUuid: string): Promise<FormerMember[]> {
  const { rows } = await sql<FormerMember>`
    select au.user_uuid, u.sysadmin or u.support as is_operator,
      (
        select other.account_uuid
        from account_user other
        where other.user_uuid = au.user_uuid and other.account_uuid <> au.account_uuid
        order by other.disabled, other.account_uuid
        limit 1
      ) as other_account
    from account_user au
    join app_user u on u.uuid = au.user_uuid
    where au.account_uuid = ${accountUuid}
    order by au.user_uuid
    for update of u
  `.execute(tx)
  return rows
}

/** Personal places of people who go on elsewhere belong to the account where they do. */
export async function movePersonalPlaces(tx: Tx, accountUuid: string, members: readonly FormerMember[]): Promise<void> {
  const moved = members.filter((one) => one.other_account !== null)
  await sql`
    update namespace n
    set account_uuid = m.other_account
    from json_to_recordset(${JSON.stringify(moved)}::json) as m(user_uuid uuid, other_account uuid)
    where n.kind = 'user' and n.owner_uuid = m.user_uuid and n.account_uuid = ${accountUuid}
  `.execute(tx)
}

/** Personal places of people who cannot sign in any more take nothing in, by whatever AE title or upload under way. */
export async function closePersonalPlaces(tx: Tx, accountUuid: string): Promise<void> {
  await sql`
    with gone as (
      update namespace n
      set gone_at = now()
      from app_user u
      where n.account_uuid = ${accountUuid} and n.kind = 'user' and u.uuid = n.owner_uuid and u.disabled
      returning n.uuid
    )
    delete from setting s
    using gone
    where s.scope = 'namespace' and s.scope_uuid = gone.uuid and s.key <> 'retention_days'
  `.execute(tx)
}

export async function listPlacesOf(tx: Tx, accountUuid: string): Promise<{ uuid: string; namespaceUuid: string }[]> {
  const { rows } = await sql<{ uuid: string; namespaceUuid: string }>`
    select uuid, namespace_uuid as "namespaceUuid"
    from app_group
    where account_uuid = ${accountUuid}
    order by uuid
  `.execute(tx)
  return rows
}

export async function listOpenConnections(tx: Tx, accountUuid: string): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    select uuid
    from account_connection
    where ${accountUuid} in (asking_account, asked_account) and ended_at is null
    order by uuid
  `.execute(tx)
  return rows.map(({ uuid }) => uuid)
}

/** Ends links and requests of an account. @returns how many were open */
export async function endLinksOfAccount(tx: Tx, accountUuid: string): Promise<number> {
  const { rows } = await sql`
    update link
    set ended_at = now()
    where account_uuid = ${accountUuid} and ended_at is null and expires_at > now()
    returning uuid
  `.execute(tx)
  return rows.length
}

/** Ends sessions in which links of an account are open, and keys and sign-ins that are good for it alone. */
export async function endSessionsInto(tx: Tx, accountUuid: string): Promise<void> {
  await sql`
    delete from session
    where only_account = ${accountUuid}
      or link_uuid in (select uuid from link where account_uuid = ${accountUuid})
      or only_namespace in (select uuid from namespace where account_uuid = ${accountUuid})
  `.execute(tx)
}

/** Stops what an account does by itself: rules, webhooks, destinations (asked by the clock) and the sign-in by a provider. */
export async function stopAutomatons(tx: Tx, accountUuid: string): Promise<void> {
  await sql`
    update routing_rule
    set deleted_at = now(), updated = now()
    where account_uuid = ${accountUuid} and deleted_at is null
  `.execute(tx)
  await sql`
    update webhook set deleted_at = now() where account_uuid = ${accountUuid} and deleted_at is null
  `.execute(tx)
  await sql`
    update destination
    set deleted_at = now(), updated = now()
    where account_uuid = ${accountUuid} and deleted_at is null
  `.execute(tx)
  await sql`delete from identity_provider where account_uuid = ${accountUuid}`.execute(tx)
}

/**
 * Closes an account whose people and groups are gone: its host names and its name are free again, and its Organisation
 * inbox takes nothing in. Its rule of retention stays, since its bin does.
 */
export async function markClosed(tx: Tx, account: { uuid: string; namespaceUuid: string }): Promise<void> {
  await sql`
    delete from setting
    where key <> 'retention_days'
      and (scope = 'account' and scope_uuid = ${account.uuid}
        or scope = 'namespace' and scope_uuid = ${account.namespaceUuid})
  `.execute(tx)
  await sql`update namespace set gone_at = now() where uuid = ${account.namespaceUuid}`.execute(tx)
  await sql`
    update account
    set closed_at = now(), vanity = '', share_code = '', no_share = true, support_until = null,
      name = name || ' (closed ' || to_char(now() at time zone 'UTC', 'YYYY-MM-DD') || ', ' || left(uuid::text, 8) || ')'
    where uuid = ${account.uuid}
  `.execute(tx)
}

/** Work of an account that waits or runs, but what comes by the clock. */
export async function listOpenWork(tx: Tx, accountUuid: string): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    select uuid
    from work
    where account_uuid = ${accountUuid} and state in ('waiting', 'running') and not by_clock
    order by uuid
  `.execute(tx)
  return rows.map(({ uuid }) => uuid)
}
