import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Keeps a short token of a session, and forgets those of it that have run out. */
export async function addSessionToken(
  db: Db,
  sessionUuid: string,
  tokenDigest: Buffer,
  minutes: number,
): Promise<void> {
  await sql`
    with spent as (
      delete from session_token
      where session_uuid = ${sessionUuid} and expires_at <= now()
    )
    insert into session_token (token_digest, session_uuid, expires_at)
    values (${tokenDigest}, ${sessionUuid}, now() + make_interval(mins => ${minutes}))
  `.execute(db)
}

/** A live session of its own (not a derived one) by the digest of its sid; looking does not extend it. */
export async function findOwnSession(
  db: Db,
  sidDigest: Buffer,
): Promise<{ uuid: string; user_uuid: string } | undefined> {
  const { rows } = await sql<{ uuid: string; user_uuid: string }>`
    select s.uuid, u.uuid as user_uuid
    from session s
    join app_user u on u.uuid = s.user_uuid
    where s.sid_digest = ${sidDigest}
      and s.parent_uuid is null
      and s.waits_for is null
      and s.expires_at > now()
      and s.last_used + make_interval(mins => s.idle_minutes) > now()
      and not u.disabled
  `.execute(db)
  return rows[0]
}
