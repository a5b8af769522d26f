import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Ends a session; the ones derived from it go with it, and so do its temporary settings. */
export async function endSession(db: Db, sessionUuid: string): Promise<void> {
  await sql`
    with ended as (
      delete from session
      where uuid = ${sessionUuid}
      returning uuid
    )
    delete from setting
    where scope = 'session' and scope_uuid in (select uuid from ended)
  `.execute(db)
}

/** Ends the sessions in which a supporter is signed in as somebody else. */
export async function endProxySessionsBy(db: Db, supporterUuid: string): Promise<void> {
  await sql`
    delete from session
    where proxy_by = ${supporterUuid}
  `.execute(db)
}

/** Ends the sessions in which supporters are signed in as people of an account. */
export async function endProxySessionsIn(db: Db, accountUuid: string): Promise<void> {
  await sql`
    delete from session
    where only_account = ${accountUuid}
  `.execute(db)
}

/** Ends all sessions of a user, but for one and what is derived from it. */
export async function endSessionsOfUser(db: Db, userUuid: string, exceptSession?: string): Promise<void> {
  await sql`
    with ended as (
      delete from session
      where user_uuid = ${userUuid}
        and uuid is distinct from ${exceptSession ?? null}::uuid
        and (parent_uuid is null or parent_uuid is distinct from ${exceptSession ?? null}::uuid)
      returning uuid
    )
    delete from setting
    where scope = 'session' and scope_uuid in (select uuid from ended)
  `.execute(db)
}

/** Ends the oldest sessions of a user beyond the newest `keep`: those on screens, or those of programs; keys stay. */
export async function endOldestSessions(
  db: Db,
  userUuid: string,
  of: 'screens' | 'programs',
  limit: number,
): Promise<void> {
  const methods = of === 'screens' ? ['password', 'sso'] : ['basic', 'oauth']
  await sql`
    with ended as (
      delete from session
      where uuid in (
        select uuid
        from session
        where user_uuid = ${userUuid} and parent_uuid is null and waits_for is null and method = any(${methods}::text[])
        order by created desc, uuid
        offset ${limit}
      )
      returning uuid
    )
    delete from setting
    where scope = 'session' and scope_uuid in (select uuid from ended)
  `.execute(db)
}
