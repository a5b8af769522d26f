import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { type MembershipRow, membershipsOf } from './membership.sql.ts'

export interface SessionRow {
  session_uuid: string
  user_uuid: string
  studies: string[] | null
  needs_touch: boolean
  first_name: string
  last_name: string
  email: string
  namespace_uuid: string
  sysadmin: boolean
  support: boolean
  time_zone: string
  memberships: MembershipRow[]
}

/**
 * A live session by the digest of its sid, its user and where that user belongs, in one question: every request asks
 * it, and every one anew, so that nothing outlives its end. A derived session lives only while its parent does.
 */
export async function findLiveSession(db: Db, sidDigest: Buffer): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`
    /* prepared */
    select s.uuid as session_uuid, s.user_uuid, s.studies,
      s.last_used < now() - interval '1 minute' as needs_touch,
      u.first_name, u.last_name, u.email, u.namespace_uuid, u.sysadmin, u.support, u.time_zone,
      ${membershipsOf(sql`u.uuid`)} as memberships
    from session s
    join app_user u on u.uuid = s.user_uuid
    left join session p on p.uuid = s.parent_uuid
    where s.sid_digest = ${sidDigest}
      and s.expires_at > now()
      and s.last_used + make_interval(mins => s.idle_minutes) > now()
      and not u.disabled
      and (s.parent_uuid is null or (p.expires_at > now() and p.last_used + make_interval(mins => p.idle_minutes) > now()))
  `.execute(db)
  return rows[0]
}

/** Puts off the idle end of a session. Called at most once a minute for each session. */
export async function touchSession(db: Db, sessionUuid: string): Promise<void> {
  await sql`update session set last_used = now() where uuid = ${sessionUuid}`.execute(db)
}

/** Whole minutes left, rounded up; undefined when the session is over. Does not extend it. */
export async function findMinutesLeft(db: Db, sidDigest: Buffer): Promise<number | undefined> {
  const { rows } = await sql<{ minutes: number }>`
    select ceil(extract(epoch from least(s.expires_at, s.last_used + make_interval(mins => s.idle_minutes)) - now()) / 60)::integer as minutes
    from session s
    join app_user u on u.uuid = s.user_uuid
    where s.sid_digest = ${sidDigest}
      and s.parent_uuid is null
      and s.expires_at > now()
      and s.last_used + make_interval(mins => s.idle_minutes) > now()
      and not u.disabled
  `.execute(db)
  return rows[0]?.minutes
}
