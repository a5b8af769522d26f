import { type RawBuilder, sql } from 'kysely'
import { foldLogin } from '@hilum/contract/fold-login'
import type { Db } from '../../db/database.ts'

/** Calls a person's own place by the person's name, or by the e-mail address of somebody without one. */
export async function nameOwnPlace(db: Db, userUuid: string): Promise<void> {
  await sql`
    update namespace n
    set name = own.name
    from (
      select u.namespace_uuid as uuid, coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email) as name
      from app_user u
      where u.uuid = ${userUuid}
    ) own
    where n.uuid = own.uuid and n.name <> own.name
  `.execute(db)
}

export async function addUser(
  db: Db,
  user: {
    uuid: string
    email: string
    first: string
    last: string
    passwordHash: string
    namespaceUuid: string
    isAddressProven: boolean
  },
): Promise<void> {
  await sql`
    insert into app_user (uuid, email, email_folded, first_name, last_name, password_hash, namespace_uuid, address_unproven)
    values (${user.uuid}, ${user.email}, ${foldLogin(user.email)}, ${user.first}, ${user.last}, ${user.passwordHash},
      ${user.namespaceUuid}, ${!user.isAddressProven})
  `.execute(db)
}

/**
 * Whether user `u` has a way in, and nobody has shown to read the mails of the address that somebody typed. The first
 * password of a login is one that nobody knows, unless it was given.
 */
export const isUnproven: RawBuilder<unknown> = sql`u.address_unproven and (
      u.last_login is not null or u.password_set_at = '-infinity'
      or (select count(*) > 1 from password_history h where h.user_uuid = u.uuid)
    )`

/** An address counts as proven once a password was chosen by a link that was mailed there. */
export async function noteAddressProven(db: Db, userUuid: string, mailedTo: string | null): Promise<void> {
  await sql`
    update app_user
    set address_unproven = false
    where uuid = ${userUuid} and address_unproven and (${mailedTo}::text is null or email_folded = ${mailedTo})
  `.execute(db)
}

/**
 * Before somebody joins an account: sessions that a provider of identities opened end, and what was connected by own wish
 * waits for a new wish, since the wish did not speak of this account. Nothing changes for a member of it.
 */
export async function loosenIdentities(db: Db, accountUuid: string, userUuid: string): Promise<void> {
  const isNew = sql`not exists (
      select from account_user au where au.user_uuid = ${userUuid} and au.account_uuid = ${accountUuid}
    )`
  await sql`
    update user_identity
    set by_person = false
    where user_uuid = ${userUuid} and by_person and ${isNew}
  `.execute(db)
  await sql`
    delete from session
    where user_uuid = ${userUuid} and method = 'sso' and ${isNew}
  `.execute(db)
}

export async function addAccountUser(
  db: Db,
  member: { accountUuid: string; userUuid: string; roleUuid: string; login: string },
): Promise<void> {
  await loosenIdentities(db, member.accountUuid, member.userUuid)
  await sql`
    insert into account_user (account_uuid, user_uuid, role_uuid, account_login, login_folded)
    values (${member.accountUuid}, ${member.userUuid}, ${member.roleUuid}, ${member.login}, ${foldLogin(member.login)})
  `.execute(db)
}
