import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** How people of an account sign in, as the wire names that. */
interface SecurityRow {
  password_expire: number
  session_expire: number
  pin_required: number
}

/** Whether the installation has another account that is open. */
export async function hasOtherAccounts(tx: Tx, accountUuid: string): Promise<boolean> {
  const { rows } = await sql`
    select
    from account
    where uuid <> ${accountUuid} and closed_at is null
    limit 1
  `.execute(tx)
  return rows.length > 0
}

/** Changes what is given. @returns what stood before; undefined without such an account */
export async function updateSecurity(
  tx: Tx,
  accountUuid: string,
  change: { passwordDays: number | undefined; idleMinutes: number | undefined; isPinRequired: boolean | undefined },
): Promise<SecurityRow | undefined> {
  const { rows } = await sql<SecurityRow>`
    with before as (
      select uuid, password_expire_days, session_expire_minutes, pin_required
      from account
      where uuid = ${accountUuid}
      for update
    )
    update account a
    set password_expire_days = coalesce(${change.passwordDays ?? null}::integer, a.password_expire_days),
      session_expire_minutes = coalesce(${change.idleMinutes ?? null}::integer, a.session_expire_minutes),
      pin_required = coalesce(${change.isPinRequired ?? null}::boolean, a.pin_required)
    from before b
    where a.uuid = b.uuid
    returning b.password_expire_days as password_expire, b.session_expire_minutes as session_expire,
      b.pin_required::integer as pin_required
  `.execute(tx)
  return rows[0]
}

/** Lets supporters in for so many hours from now, or no longer. @returns until when, before and now; null for no longer */
export async function updateSupport(
  tx: Tx,
  accountUuid: string,
  hours: number,
): Promise<{ before: string | null; now: string | null }> {
  const { rows } = await sql<{ before: string | null; now: string | null }>`
    with before as (
      select uuid, case when support_until > now() then support_until end as support_until
      from account
      where uuid = ${accountUuid}
      for update
    )
    update account a
    set support_until = case when ${hours}::integer > 0 then now() + make_interval(hours => ${hours}::integer) end
    from before b
    where a.uuid = b.uuid
    returning to_char(b.support_until at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS+00') as before,
      to_char(a.support_until at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS+00') as now
  `.execute(tx)
  return rows[0] ?? { before: null, now: null }
}

/** Whether another account has one of these host names. */
export async function isVanityTaken(tx: Tx, accountUuid: string, names: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select
    from account
    where uuid <> ${accountUuid}
      and string_to_array(replace(lower(vanity), ' ', ''), ',') && ${[...names]}::text[]
    limit 1
  `.execute(tx)
  return rows.length > 0
}

/** Changes what is given. @returns what stood before */
export async function updateEntry(
  tx: Tx,
  accountUuid: string,
  change: { vanity: string | undefined; roleUuid: string | undefined },
): Promise<{ vanity: string; role_id: string } | undefined> {
  const { rows } = await sql<{ vanity: string; role_id: string }>`
    with before as (
      select uuid, vanity, default_role_uuid
      from account
      where uuid = ${accountUuid}
      for update
    )
    update account a
    set vanity = coalesce(${change.vanity ?? null}::text, a.vanity),
      default_role_uuid = coalesce(${change.roleUuid ?? null}::uuid, a.default_role_uuid)
    from before b
    where a.uuid = b.uuid
    returning b.vanity, coalesce(b.default_role_uuid::text, '') as role_id
  `.execute(tx)
  return rows[0]
}

/** Locks an account and reads its name and assigning authority. */
export async function lockIdentity(tx: Tx, accountUuid: string): Promise<{ name: string; issuer: string } | undefined> {
  const { rows } = await sql<{ name: string; issuer: string }>`
    select name, issuer
    from account
    where uuid = ${accountUuid}
    for no key update
  `.execute(tx)
  return rows[0]
}

/** Lets accounts be named one after the other, until the transaction ends. */
export async function lockAccountNames(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('account names', 0))`.execute(tx)
}

/** Whether another account has a name, in whatever case. */
export async function isAccountNameTaken(tx: Tx, accountUuid: string, name: string): Promise<boolean> {
  const { rows } = await sql`
    select 1
    from account
    where lower(name) = lower(${name}) and uuid <> ${accountUuid}
    limit 1
  `.execute(tx)
  return rows.length > 0
}

/** Names an account, and the place that it owns; exams keep the authority that their MRNs came with. */
export async function updateIdentity(
  tx: Tx,
  accountUuid: string,
  { name, issuer }: { name: string; issuer: string },
): Promise<void> {
  await sql`
    with named as (
      update namespace
      set name = ${name}
      where owner_uuid = ${accountUuid} and kind = 'account'
    )
    update account
    set name = ${name}, issuer = ${issuer}
    where uuid = ${accountUuid}
  `.execute(tx)
}
