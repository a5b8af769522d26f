import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

export interface LoginRow {
  uuid: string
  name: string
  account_uuid: string | null
  password_hash: string
  disabled: boolean
  password_expired: boolean
  /** An account takes the person in by its provider of identities alone. */
  sso_only: boolean
  /** The shortest idle limit among the user's accounts; null when none sets one. */
  idle_minutes: number | null
  /** The fewest sessions at once that one of the accounts leaves the person; null when none says. */
  max_sessions: number | null
}

/** The account in which the login of user `u` was made: that of the personal place. */
export const homeAccount: RawBuilder<unknown> = sql`(
        select n.account_uuid
        from namespace n
        where n.uuid = u.namespace_uuid
      )`

/** Whether membership `au` sets what holds at every sign-in of user `u`: the one in which the login was made, while it is there. */
export const setsSignIn: RawBuilder<unknown> = sql`(
        au.account_uuid = ${homeAccount}
        or not exists (
          select
          from account_user home
          where home.user_uuid = u.uuid and home.account_uuid = ${homeAccount} and not home.disabled
        )
      )`

/** The account of user `u` whose audit tells of sign-ins, the one in which the login was made before others, with the strictest limits among all of them. */
const member: RawBuilder<unknown> = sql`
      select (array_agg(a.uuid order by a.uuid is distinct from ${homeAccount}, a.created, a.uuid))[1] as account_uuid,
        min(nullif(a.password_expire_days, 0)) as expire_days,
        min(
          least(
            nullif(a.session_expire_minutes, 0),
            case when ${setsSignIn} then nullif(au.session_expire_minutes, 0) end
          )
        ) as idle_minutes,
        min(nullif(au.max_sessions, 0)) filter (where ${setsSignIn}) as max_sessions,
        coalesce(bool_or(au.password_reset) filter (where ${setsSignIn}), false) as password_reset
      from account_user au
      join account a on a.uuid = au.account_uuid
      where au.user_uuid = u.uuid and not au.disabled`

/**
 * Whether user `u` signs in by a provider alone: an account asks for it, of all its people or of this one, and its provider lets the person in, who belongs to
 * this account alone and has no flag of the system, or is connected by own wish. Others would be shut out.
 */
export const isSsoOnly: RawBuilder<unknown> = sql`
      select
      from account_user au
      join identity_provider p on p.account_uuid = au.account_uuid and p.is_on and (p.sso_only or au.sso_only)
      where au.user_uuid = u.uuid and not au.disabled
        and (
          not (u.sysadmin or u.support) and not exists (
            select from account_user other where other.user_uuid = u.uuid and other.account_uuid <> au.account_uuid
          )
          or exists (
            select from user_identity i where i.user_uuid = u.uuid and i.provider = p.issuer and i.by_person
          )
        )`

/**
 * The user behind a login: with a vanity first by the login that the account with this host name gives, then – as
 * without one – by e-mail address (`api-facts` §3, session/login).
 * @param login folded (`foldLogin`)
 */
export async function findLogin(db: Db, login: string, vanity: string): Promise<LoginRow | undefined> {
  const { rows } = await sql<LoginRow>`
    with named as (
      select au.user_uuid as uuid, 1 as rank
      from account a
      join account_user au on au.account_uuid = a.uuid
      where ${vanity} <> ''
        and lower(${vanity}) = any(string_to_array(replace(lower(a.vanity), ' ', ''), ','))
        and ${login} <> ''
        and au.login_folded = ${login}
        and not au.disabled
        -- nobody is shut out by a login that somebody else was given
        and not exists (
          select from app_user other where other.email_folded = ${login} and other.uuid <> au.user_uuid
        )
      union all
      select u.uuid, 2
      from app_user u
      where u.email_folded = ${login}
    ), chosen as (
      select uuid
      from named
      order by rank, uuid
      limit 1
    )
    select u.uuid, coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email) as name,
      u.password_hash, u.disabled, member.account_uuid, member.idle_minutes, member.max_sessions,
      coalesce(u.password_set_at + make_interval(days => member.expire_days) < now(), false)
        or coalesce(member.password_reset, false)
        -- somebody else chose it
        or u.password_set_at = '-infinity' as password_expired,
      exists (${isSsoOnly}) as sso_only
    from chosen
    join app_user u on u.uuid = chosen.uuid
    left join lateral (${member}
    ) member on true
  `.execute(db)
  return rows[0]
}

/** A person who is proven to be who signs in, with the row locked; undefined for a disabled one. */
export async function lockPerson(
  tx: Tx,
  userUuid: string,
): Promise<Pick<LoginRow, 'uuid' | 'name' | 'account_uuid' | 'idle_minutes' | 'max_sessions'> | undefined> {
  const { rows } = await sql<Pick<LoginRow, 'uuid' | 'name' | 'account_uuid' | 'idle_minutes' | 'max_sessions'>>`
    select u.uuid, coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email) as name, member.account_uuid,
      member.idle_minutes, member.max_sessions
    from app_user u
    left join lateral (${member}
    ) member on true
    where u.uuid = ${userUuid} and not u.disabled
    for update of u
  `.execute(tx)
  return rows[0]
}

/** How a session was opened: on the screen (by password or a provider of identities), by a program (HTTP basic, an OAuth token), or as a key for a program, or by a supporter. */
export type SessionMethod = 'password' | 'sso' | 'basic' | 'oauth' | 'key' | 'proxy'

export interface NewSession {
  uuid: string
  sidDigest: Buffer
  userUuid: string
  idleMinutes: number
  lifeMinutes: number
  /** For a derived session: whose it is, and the only study records it may read. */
  parentUuid?: string
  studies?: readonly string[]
  /** How it was opened, and how strongly that proved who it is. */
  method?: SessionMethod
  strength?: 'one factor' | 'two factors' | 'key'
  /** The provider of identities, and its words of the proof: acr, amr, auth_time. */
  providerUuid?: string
  providerProof?: object
  /** When it was proven who sits there, in seconds since 1970; now unless said. */
  provenAt?: number
  /** The step that is missing before the session opens anything. */
  waitsFor?: 'pin' | 'setup' | undefined
  /** In force as the person's password once that step is taken. */
  newPasswordHash?: string | undefined
  /** Of a key: its name, and the permissions that it may use. */
  name?: string
  scope?: readonly string[]
  /** Of a key for one place alone. */
  onlyNamespace?: string
  /** Of a supporter's session as somebody else: the supporter, and the only account that it reaches. */
  proxyBy?: string
  onlyAccount?: string
  /** From where it was opened, for its owner to see. */
  clientAddress?: string
  userAgent?: string
}

export const longestUserAgent = 300

/** @returns when it ends at the latest, as the wire writes stamps */
export async function addSession(db: Db, session: NewSession): Promise<string> {
  const { rows } = await sql<{ expires: string }>`
    insert into session (uuid, sid_digest, user_uuid, parent_uuid, studies, client_address, user_agent, method, strength,
      name, scope, only_namespace, proxy_by, only_account, waits_for, new_password_hash, provider_uuid, provider_proof, proven_at,
      idle_minutes, expires_at)
    values (${session.uuid}, ${session.sidDigest}, ${session.userUuid}, ${session.parentUuid ?? null},
      ${session.studies ? [...session.studies] : null}::uuid[], ${session.clientAddress ?? ''},
      ${(session.userAgent ?? '').slice(0, longestUserAgent)}, ${session.method ?? 'password'},
      ${session.strength ?? 'one factor'},
      ${session.name ?? ''}, ${session.scope ? [...session.scope] : null}::text[],
      ${session.onlyNamespace ?? null}, ${session.proxyBy ?? null}, ${session.onlyAccount ?? null},
      ${session.waitsFor ?? null}, ${session.newPasswordHash ?? null}, ${session.providerUuid ?? null},
      ${session.providerProof ? JSON.stringify(session.providerProof) : null}::jsonb,
      least(now(), coalesce(to_timestamp(${session.provenAt ?? null}::double precision), now())), ${session.idleMinutes},
      now() + make_interval(mins => ${session.lifeMinutes}))
    returning to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as expires
  `.execute(db)
  return rows[0]?.expires ?? ''
}

export async function noteLogin(db: Db, userUuid: string): Promise<void> {
  await sql`
    update app_user
    set last_login = now()
    where uuid = ${userUuid}
  `.execute(db)
}

export async function findIdleMinutes(db: Db, sessionUuid: string): Promise<number> {
  const { rows } = await sql<{ idle_minutes: number }>`
    select idle_minutes
    from session
    where uuid = ${sessionUuid}
  `.execute(db)
  return rows[0]?.idle_minutes ?? 0
}
