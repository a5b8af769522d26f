import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { type MembershipRow, membershipsOfLink, studiesOfLink } from './membership.sql.ts'

export interface SessionRow {
  session_uuid: string
  /** Null in the session of a link. */
  user_uuid: string | null
  link_uuid: string | null
  /** The only records that a derived session may read; those of a link at this moment. */
  studies: string[] | null
  /** Of a key the permissions that it may use; null of any other session. */
  scope: string[] | null
  /** Of a key for one place its namespace. */
  only_namespace: string | null
  /** Of a supporter's session as somebody else: the supporter, and the only account that it reaches. */
  proxy_by: string | null
  proxy_name: string
  only_account: string | null
  needs_touch: boolean
  first_name: string
  last_name: string
  email: string
  namespace_uuid: string | null
  sysadmin: boolean
  support: boolean
  time_zone: string
  /** Changes with everybody's memberships; null of a database that lost it, of which nothing is remembered. */
  rights_epoch: string | null
  /** Of a link alone: memberships of users are remembered (`remembered-memberships.ts`). */
  memberships: MembershipRow[] | null
}

/** The session of a sid, or of a short token that stands for it. */
export function sessionOf(digest: Buffer): RawBuilder<string> {
  return sql`(
    select uuid from session where sid_digest = ${digest}
    union all
    select session_uuid from session_token where token_digest = ${digest} and expires_at > now()
    limit 1
  )`
}

/**
 * A live session by the digest of its sid, with its user or link: every request asks, and every one anew, so that nothing
 * outlives its end. A derived session lives only while its parent does, and a supporter's as somebody else while the
 * account lets supporters in and the supporter is one.
 */
export function findLiveSession(db: Db, sidDigest: Buffer): Promise<SessionRow | undefined> {
  return findSessionWhere(db, sessionOf(sidDigest))
}

/** As `findLiveSession`, for work that goes on after its token has run out. */
export function findLiveSessionByUuid(db: Db, sessionUuid: string): Promise<SessionRow | undefined> {
  return findSessionWhere(db, sql`${sessionUuid}::uuid`)
}

async function findSessionWhere(db: Db, uuid: RawBuilder<string>): Promise<SessionRow | undefined> {
  const { rows } = await sql<SessionRow>`
    /* prepared */
    select s.uuid as session_uuid, s.user_uuid, s.link_uuid,
      case when s.link_uuid is null then s.studies else ${studiesOfLink()} end as studies,
      coalesce(s.scope, p.scope) as scope, coalesce(s.only_namespace, p.only_namespace) as only_namespace,
      pu.uuid as proxy_by, coalesce(nullif(trim(pu.first_name || ' ' || pu.last_name), ''), pu.email, '') as proxy_name,
      coalesce(s.only_account, p.only_account) as only_account,
      s.last_used < now() - interval '1 minute' as needs_touch,
      coalesce(u.first_name, '') as first_name, coalesce(u.last_name, '') as last_name,
      coalesce(u.email, '') as email, u.namespace_uuid, coalesce(u.sysadmin, false) as sysadmin,
      coalesce(u.support, false) as support, coalesce(u.time_zone, '') as time_zone,
      (select epoch from rights_epoch) as rights_epoch,
      case when s.link_uuid is not null then ${membershipsOfLink(sql`l`)} end as memberships
    from session s
    left join app_user u on u.uuid = s.user_uuid
    left join link l on l.uuid = s.link_uuid
    left join session p on p.uuid = s.parent_uuid
    left join app_user pu on pu.uuid = coalesce(s.proxy_by, p.proxy_by)
    left join account pa on pa.uuid = coalesce(s.only_account, p.only_account)
    where s.uuid = ${uuid}
      and s.waits_for is null
      and s.expires_at > now()
      and s.last_used + make_interval(mins => s.idle_minutes) > now()
      and case when s.link_uuid is null then not u.disabled else l.ended_at is null and l.expires_at > now() end
      and (s.parent_uuid is null or (p.expires_at > now() and p.last_used + make_interval(mins => p.idle_minutes) > now()))
      and (pa.uuid is null or (pa.support_until > now() and not pu.disabled and (pu.sysadmin or pu.support)))
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
    where s.uuid = ${sessionOf(sidDigest)}
      and s.parent_uuid is null
      and s.waits_for is null
      and s.expires_at > now()
      and s.last_used + make_interval(mins => s.idle_minutes) > now()
      and not u.disabled
  `.execute(db)
  return rows[0]?.minutes
}
