import { sql } from 'kysely'
import { homeAccount, setsSignIn } from './sign-in.sql.ts'
import { sessionOf } from '../../access/session.sql.ts'
import type { Db, Tx } from '../../db/database.ts'

/** The step that a session waits for: a code of the second factor, or until that is set up. */
export type WaitsFor = 'pin' | 'setup'

export interface PinSession {
  uuid: string
  user_uuid: string
  user_name: string
  user_email: string
  account_uuid: string | null
  account_name: string
  waits_for: WaitsFor | null
  method: 'password' | 'sso'
  /** The fewest sessions at once that one of the accounts leaves the person; null when none says. */
  max_sessions: number | null
  /** Only sessions on screens have a second factor. */
  is_live: boolean
  /** Whether it was proven lately who sits there. */
  is_proven: boolean
}

/** Minutes for which it counts that somebody has proven who it is. */
const provenMinutes = 15

/** A person's own session by its sid or a token of it, also one that waits or has run out within the day. */
export async function findPinSession(db: Db, sidDigest: Buffer): Promise<PinSession | undefined> {
  const { rows } = await sql<PinSession>`
    select s.uuid, u.uuid as user_uuid, coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email) as user_name,
      u.email as user_email, member.uuid as account_uuid, coalesce(member.name, '') as account_name, s.waits_for, s.method,
      (
        select min(nullif(au.max_sessions, 0))
        from account_user au
        where au.user_uuid = u.uuid and not au.disabled and ${setsSignIn}
      ) as max_sessions,
      s.expires_at > now() and s.last_used + make_interval(mins => s.idle_minutes) > now() as is_live,
      s.proven_at > now() - make_interval(mins => ${provenMinutes}) as is_proven
    from session s
    join app_user u on u.uuid = s.user_uuid
    left join lateral (
      select a.uuid, a.name
      from account_user au
      join account a on a.uuid = au.account_uuid
      where au.user_uuid = u.uuid and not au.disabled
      order by a.uuid is distinct from ${homeAccount}, a.created, a.uuid
      limit 1
    ) member on true
    where s.uuid = ${sessionOf(sidDigest)}
      and s.parent_uuid is null
      and s.method in ('password', 'sso')
      and not u.disabled
  `.execute(db)
  return rows[0]
}

interface OpenedSessionRow {
  method: string
  /** Name of the provider of identities, and its words of the proof. */
  provider: string | null
  provider_proof: Record<string, unknown> | null
  /** Of the password that came with the sign-in. */
  new_password_hash: string | null
}

/** Opens a session that waited, for as long as sessions last from now on; undefined when it is over or open already. */
export async function openWaiting(
  tx: Tx,
  sessionUuid: string,
  lifeMinutes: number,
): Promise<OpenedSessionRow | undefined> {
  const { rows } = await sql<OpenedSessionRow>`
    with waiting as (
      select uuid, new_password_hash
      from session
      where uuid = ${sessionUuid} and waits_for is not null and expires_at > now()
      for update
    )
    update session s
    set waits_for = null, new_password_hash = null, strength = 'two factors', proven_at = now(), last_used = now(),
      expires_at = now() + make_interval(mins => ${lifeMinutes})
    from waiting w
    where s.uuid = w.uuid
    returning s.method, s.provider_proof, w.new_password_hash,
      (select p.button from identity_provider p where p.uuid = s.provider_uuid) as provider
  `.execute(tx)
  return rows[0]
}

/** Notes that the person of a session has just proven to be that person. */
export async function noteProof(db: Db, sessionUuid: string, strength?: 'two factors'): Promise<void> {
  await sql`
    update session
    set proven_at = now(), strength = coalesce(${strength ?? null}, strength)
    where uuid = ${sessionUuid}
  `.execute(db)
}

export async function isProvenLately(db: Db, sessionUuid: string): Promise<boolean> {
  const { rows } = await sql`
    select
    from session
    where uuid = ${sessionUuid} and proven_at > now() - make_interval(mins => ${provenMinutes})
  `.execute(db)
  return rows.length > 0
}

/**
 * Whether a session may change how somebody else signs in: a screen whose person was proven lately, so that one that was
 * left open takes over no login. A program shows its key, or a password, with what it sends.
 */
export async function mayChangeSignIn(db: Db, sessionUuid: string): Promise<boolean> {
  const { rows } = await sql`
    select
    from session
    where uuid = ${sessionUuid}
      and (method in ('key', 'basic', 'oauth') or proven_at > now() - make_interval(mins => ${provenMinutes}))
  `.execute(db)
  return rows.length > 0
}

/** Ends the oldest sessions of a person that wait, beyond the newest `keep`. */
export async function endOldestWaiting(tx: Tx, userUuid: string, limit: number): Promise<void> {
  await sql`
    delete from session
    where uuid in (
      select uuid
      from session
      where user_uuid = ${userUuid} and waits_for is not null
      order by created desc, uuid
      offset ${limit}
    )
  `.execute(tx)
}
