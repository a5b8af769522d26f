import type { AgreedTextKind } from '@hilum/contract/calls/account-text'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

const since = sql`to_char(t.since at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as since`

interface AccountTextRow {
  kind: AgreedTextKind
  text: string
  md5: string
  since: string
}

/** Texts of an account that are in force. */
export async function listTextsInForce(db: Db, accountUuid: string): Promise<AccountTextRow[]> {
  const { rows } = await sql<AccountTextRow>`
    select t.kind, t.text, t.md5, ${since}
    from account_text t
    where t.account_uuid = ${accountUuid}
      and t.text <> ''
      and not exists (
        select
        from account_text newer
        where newer.account_uuid = t.account_uuid and newer.kind = t.kind and newer.version > t.version
      )
    order by t.kind desc
  `.execute(db)
  return rows
}

/** All texts that were ever in force, newest first, with how many people agreed to which last. */
export async function listTextVersions(
  db: Db,
  accountUuid: string,
): Promise<(AccountTextRow & { by: string; agreed: number })[]> {
  const { rows } = await sql<AccountTextRow & { by: string; agreed: number }>`
    select t.kind, t.text, t.md5, ${since}, trim(u.first_name || ' ' || u.last_name) as by, (
      select count(*)::integer
      from account_user au
      join app_user person on person.uuid = au.user_uuid
      where au.account_uuid = t.account_uuid
        and not au.disabled
        and not person.disabled
        and t.text <> ''
        and t.md5 = case t.kind when 'terms' then person.terms_md5 else person.privacy_md5 end
    ) as agreed
    from account_text t
    join app_user u on u.uuid = t.by_user
    where t.account_uuid = ${accountUuid}
    order by t.since desc, t.kind desc, t.version desc
  `.execute(db)
  return rows
}

export async function countPeopleOf(db: Db, accountUuid: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from account_user au
    join app_user u on u.uuid = au.user_uuid
    where au.account_uuid = ${accountUuid} and not au.disabled and not u.disabled
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** The MD5 of the text of a kind in force, empty without one; nobody else puts one in force until the transaction ends. */
export async function lockText(tx: Tx, accountUuid: string, kind: AgreedTextKind): Promise<string> {
  await sql`select from account where uuid = ${accountUuid} for update`.execute(tx)
  const { rows } = await sql<{ md5: string }>`
    select t.md5
    from account_text t
    where t.account_uuid = ${accountUuid} and t.kind = ${kind}
    order by t.version desc
    limit 1
  `.execute(tx)
  return rows[0]?.md5 ?? ''
}

/** Writes the next version of a text. */
export async function addText(
  tx: Tx,
  one: { accountUuid: string; kind: AgreedTextKind; text: string; md5: string; byUser: string },
): Promise<void> {
  await sql`
    insert into account_text (account_uuid, kind, version, text, md5, by_user)
    select ${one.accountUuid}, ${one.kind}, coalesce(max(version), 0) + 1, ${one.text}, ${one.md5}, ${one.byUser}
    from account_text
    where account_uuid = ${one.accountUuid} and kind = ${one.kind}
  `.execute(tx)
}

/** Accounts of a person where a text with this MD5 is in force, and that the person did not agree to last. */
export async function listAccountsToAgreeIn(
  tx: Tx,
  userUuid: string,
  kind: AgreedTextKind,
  md5: string,
): Promise<string[]> {
  const { rows } = await sql<{ account_uuid: string }>`
    select au.account_uuid
    from account_user au
    join app_user u on u.uuid = au.user_uuid
    join setting s on s.scope = 'account' and s.scope_uuid = au.account_uuid and s.key = ${`${kind}_md5`}
    where au.user_uuid = ${userUuid}
      and not au.disabled
      and s.value = ${md5}
      and ${md5} <> case ${kind}::text when 'terms' then u.terms_md5 else u.privacy_md5 end
    order by au.account_uuid
  `.execute(tx)
  return rows.map((row) => row.account_uuid)
}
