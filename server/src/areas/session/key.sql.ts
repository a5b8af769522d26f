import type { sessionKeyList } from '@hilum/contract/calls/session'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Db } from '../../db/database.ts'

const stamp = 'YYYY-MM-DD HH24:MI:SS.US+00'

type ListedKey = z.output<typeof sessionKeyList.output>['keys'][number]

/** The keys of a user that have not run out, the newest first. */
export async function listKeys(db: Db, userUuid: string): Promise<ListedKey[]> {
  const { rows } = await sql<ListedKey>`
    select session.uuid, session.name, scope as permissions, client_address,
      coalesce(n.uuid::text, '') as namespace_id, coalesce(n.name, '') as namespace_name,
      to_char(created at time zone 'UTC', ${stamp}) as created,
      case when last_used > created then to_char(last_used at time zone 'UTC', ${stamp}) else '' end as last_used,
      to_char(expires_at at time zone 'UTC', ${stamp}) as expires
    from session
    left join namespace n on n.uuid = session.only_namespace
    where user_uuid = ${userUuid}
      and method = 'key'
      and parent_uuid is null
      and expires_at > now()
    order by session.created desc, session.uuid
  `.execute(db)
  return rows
}

/** Ends a key of a user. Gives its name; undefined when there is none. */
export async function endKey(db: Db, userUuid: string, uuid: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    delete from session
    where uuid = ${uuid} and user_uuid = ${userUuid} and method = 'key'
    returning name
  `.execute(db)
  return rows[0]?.name
}

/** Whether a digest is that of a live key of the user with this folded e-mail address. */
export async function isLiveKeyOf(db: Db, login: string, digest: Buffer): Promise<boolean> {
  const { rows } = await sql`
    select
    from session s
    join app_user u on u.uuid = s.user_uuid
    where s.sid_digest = ${digest}
      and s.method = 'key'
      and s.expires_at > now()
      and u.email_folded = ${login}
      and not u.disabled
  `.execute(db)
  return rows.length > 0
}
