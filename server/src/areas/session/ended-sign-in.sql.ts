import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { homeAccount, isSsoOnly } from './sign-in.sql.ts'

/** A person whose sessions were ended, and how many; those derived from them went along uncounted. */
export interface EndedSessions {
  user_uuid: string
  sessions: number
}

/**
 * Ends the sessions that people of an account opened by a password by which they come in no more, those of programs among
 * them. Keys stay, and so does one session.
 * @param userUuid one person alone
 */
export function endPasswordSessions(
  tx: Tx,
  accountUuid: string,
  { exceptSession, userUuid }: { exceptSession: string; userUuid?: string | undefined },
): Promise<EndedSessions[]> {
  return endWhere(
    tx,
    exceptSession,
    sql`
      s.method in ('password', 'basic', 'oauth')
      and (${userUuid ?? null}::uuid is null or s.user_uuid = ${userUuid ?? null})
      and exists (
        select
        from account_user here
        join app_user u on u.uuid = here.user_uuid
        where here.account_uuid = ${accountUuid} and here.user_uuid = s.user_uuid and exists (${isSsoOnly})
      )`,
  )
}

/** Ends the sessions that a provider of identities opened, those of one person alone where one is named; one session stays. */
export function endSessionsByProvider(
  tx: Tx,
  providerUuid: string,
  { exceptSession, userUuid }: { exceptSession?: string | undefined; userUuid?: string | undefined },
): Promise<EndedSessions[]> {
  return endWhere(
    tx,
    exceptSession,
    sql`
      s.provider_uuid = ${providerUuid}
      and (${userUuid ?? null}::uuid is null or s.user_uuid = ${userUuid ?? null})`,
  )
}

async function endWhere(
  tx: Tx,
  exceptSession: string | undefined,
  where: RawBuilder<unknown>,
): Promise<EndedSessions[]> {
  const { rows } = await sql<EndedSessions>`
    with ended as (
      delete from session s
      where ${where}
        and s.parent_uuid is null
        and s.uuid is distinct from ${exceptSession ?? null}::uuid
      returning s.uuid, s.user_uuid
    ), forgotten as (
      delete from setting
      where scope = 'session' and scope_uuid in (select uuid from ended)
    )
    select user_uuid, count(*)::integer as sessions
    from ended
    group by user_uuid
    order by user_uuid
  `.execute(tx)
  return rows
}

/**
 * Ends the keys with which a person's programs reach an account: all of them where the login was made there, or the person
 * belongs nowhere else; else those for a place of this account.
 */
export async function endKeysInto(
  tx: Tx,
  accountUuid: string,
  userUuid: string,
): Promise<{ uuid: string; name: string }[]> {
  const { rows } = await sql<{ uuid: string; name: string }>`
    delete from session s
    using app_user u
    where u.uuid = ${userUuid} and s.user_uuid = u.uuid and s.method = 'key' and s.parent_uuid is null
      and (
        ${homeAccount} = ${accountUuid}
        or not exists (
          select from account_user other where other.user_uuid = u.uuid and other.account_uuid <> ${accountUuid}
        )
        or exists (
          select from namespace place where place.uuid = s.only_namespace and place.account_uuid = ${accountUuid}
        )
      )
    returning s.uuid, s.name
  `.execute(tx)
  return rows
}

/**
 * Whether a person comes in by a provider alone now. Until the transaction ends no provider of the person's accounts is
 * changed; the person's row is locked already, which keeps the word about this one person.
 */
export async function isProviderAlone(tx: Tx, userUuid: string): Promise<boolean> {
  await sql`
    select
    from identity_provider p
    join account_user au on au.account_uuid = p.account_uuid
    where au.user_uuid = ${userUuid}
    order by p.uuid
    for share of p
  `.execute(tx)
  return findProviderAlone(tx, userUuid)
}

async function findProviderAlone(db: Db, userUuid: string): Promise<boolean> {
  const { rows } = await sql`
    select
    from app_user u
    where u.uuid = ${userUuid} and exists (${isSsoOnly})
  `.execute(db)
  return rows.length > 0
}
