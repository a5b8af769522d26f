import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { isUnproven } from './user-write.sql.ts'

/** A person as the operator of the installation sees one. */
export interface OperatorUser {
  uuid: string
  email: string
  name: string
  disabled: boolean
  last_login: string | null
  live_sessions: number
  /** The person signs in by an address whose mails nobody has shown to read. */
  is_unproven: boolean
  places: { account_uuid: string; account: string; role: string; disabled: boolean }[]
  /** The first account, whose audit tells of what happens to the person. */
  account_uuid: string | null
}

export async function listUsersForOperator(db: Db): Promise<OperatorUser[]> {
  const { rows } = await sql<OperatorUser>`
    select u.uuid, u.email, trim(u.first_name || ' ' || u.last_name) as name, u.disabled,
      ${isUnproven} as is_unproven,
      to_char(u.last_login at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as last_login,
      (
        select count(*)::integer
        from session s
        where s.user_uuid = u.uuid
          and s.parent_uuid is null
          and s.expires_at > now()
          and s.last_used + make_interval(mins => s.idle_minutes) > now()
      ) as live_sessions,
      coalesce(member.places, '[]') as places,
      member.account_uuid
    from app_user u
    left join lateral (
      select (array_agg(a.uuid order by au.disabled, a.created, a.uuid))[1] as account_uuid,
        json_agg(
          json_build_object('account_uuid', a.uuid, 'account', a.name, 'role', coalesce(r.name, ''), 'disabled', au.disabled)
          order by a.name
        ) as places
      from account_user au
      join account a on a.uuid = au.account_uuid
      left join role r on r.uuid = au.role_uuid
      where au.user_uuid = u.uuid
    ) member on true
    order by u.email, u.uuid
  `.execute(db)
  return rows
}

/** Whether a person may sign in; whoever may again has the personal place again. */
export async function setDisabled(db: Db, userUuid: string, isDisabled: boolean): Promise<void> {
  await sql`
    update app_user
    set disabled = ${isDisabled}
    where uuid = ${userUuid}
  `.execute(db)
  if (!isDisabled) await reopenPersonalPlace(db, userUuid)
}

/**
 * Opens the personal place that ended with a closed organisation, in the oldest organisation where the person works now.
 * A person who works nowhere has no place yet: nothing may come into an organisation that is closed.
 */
async function reopenPersonalPlace(db: Db, userUuid: string): Promise<void> {
  await sql`
    update namespace n
    set gone_at = null, account_uuid = home.account_uuid
    from (
      select a.uuid as account_uuid
      from namespace own
      join account a on a.closed_at is null
        and (a.uuid = own.account_uuid
          or exists (
            select from account_user au where au.account_uuid = a.uuid and au.user_uuid = ${userUuid} and not au.disabled
          ))
      where own.kind = 'user' and own.owner_uuid = ${userUuid}
      order by a.uuid = own.account_uuid desc, a.created, a.uuid
      limit 1
    ) home
    where n.kind = 'user' and n.owner_uuid = ${userUuid} and n.gone_at is not null
  `.execute(db)
}

export interface AdministratorPlace {
  account_uuid: string
  account: string
  role_uuid: string
}

/** The accounts with the role that administrators of each have: the one that was there first. */
export async function listAdministratorPlaces(db: Db): Promise<AdministratorPlace[]> {
  const { rows } = await sql<AdministratorPlace>`
    select distinct on (a.name, a.uuid) a.uuid as account_uuid, a.name as account, r.uuid as role_uuid
    from account a
    join role r on r.account_uuid = a.uuid and r.type = 'admin'
    where a.closed_at is null
    order by a.name, a.uuid, r.name, r.uuid
  `.execute(db)
  return rows
}

/** Makes a person a member of an account in this role, whatever the person was there before. */
export async function putAccountUser(db: Db, accountUuid: string, userUuid: string, roleUuid: string): Promise<void> {
  await sql`
    insert into account_user (account_uuid, user_uuid, role_uuid)
    values (${accountUuid}, ${userUuid}, ${roleUuid})
    on conflict (account_uuid, user_uuid) do update
    set role_uuid = excluded.role_uuid, disabled = false
  `.execute(db)
  await reopenPersonalPlace(db, userUuid)
}

/** Ends an account's asking for its provider alone, of all its people or of some. @returns the provider; undefined when nobody was asked */
export async function endSsoOnly(db: Db, accountUuid: string): Promise<string | undefined> {
  const { rows } = await sql<{ uuid: string }>`
    with people as (
      update account_user
      set sso_only = false
      where account_uuid = ${accountUuid} and sso_only
      returning user_uuid
    )
    update identity_provider
    set sso_only = false, row_version = row_version + 1
    where account_uuid = ${accountUuid} and (sso_only or exists (select from people))
    returning uuid
  `.execute(db)
  return rows[0]?.uuid
}
