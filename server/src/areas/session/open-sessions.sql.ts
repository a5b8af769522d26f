import type { OpenSession } from '@hilum/contract/calls/session'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

const stamp = 'YYYY-MM-DD HH24:MI:SS.US+00'

/** The live sessions of a user, the current one first, then by use; not the ones derived from them. */
export async function listOpenSessions(db: Db, userUuid: string, currentUuid: string): Promise<OpenSession[]> {
  const { rows } = await sql<OpenSession>`
    select uuid as session_id,
      (uuid = ${currentUuid})::integer as is_current,
      to_char(created at time zone 'UTC', ${stamp}) as created,
      to_char(last_used at time zone 'UTC', ${stamp}) as last_used,
      to_char(least(expires_at, last_used + make_interval(mins => idle_minutes)) at time zone 'UTC', ${stamp}) as expires,
      client_address, user_agent, method
    from session
    where user_uuid = ${userUuid}
      and parent_uuid is null
      and method <> 'key'
      and waits_for is null
      and expires_at > now()
      and last_used + make_interval(mins => idle_minutes) > now()
    order by uuid = ${currentUuid} desc, session.last_used desc, uuid
  `.execute(db)
  return rows
}

/**
 * Ends one session of a user, or all but one (`isOpenAlone`: those that wait for a second factor stay), with the ones derived from
 * them and their temporary settings.
 * @returns how many, without the derived ones
 */
export async function endOwnSessions(
  db: Db,
  userUuid: string,
  which: { only: string } | { but: string; isOpenAlone?: boolean },
): Promise<number> {
  const wanted =
    'only' in which
      ? sql`uuid = ${which.only}`
      : sql`uuid <> ${which.but} and (waits_for is null or not ${which.isOpenAlone ?? false}::boolean)`
  const { rows } = await sql<{ ended: number }>`
    with ended as (
      delete from session
      where user_uuid = ${userUuid} and parent_uuid is null and method <> 'key' and ${wanted}
      returning uuid, least(expires_at, last_used + make_interval(mins => idle_minutes)) > now() as was_live
    ), temporary as (
      delete from setting
      where scope = 'session' and scope_uuid in (select uuid from ended)
    )
    select count(*) filter (where was_live)::integer as ended
    from ended
  `.execute(db)
  return rows[0]?.ended ?? 0
}
