import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'

interface KnownIdentity {
  user_uuid: string
  /** E-mail address of the last sign-in by it, and the person's own here. */
  email: string
  own_email: string
  by_person: boolean
  disabled: boolean
  /** Null for somebody who does not belong to the account. */
  role_uuid: string | null
  /** Stands above the roles of accounts. */
  is_above: boolean
  other_accounts: number
}

/** The person of an identity, with the place in an account; the person's row is locked. */
export async function lockKnownIdentity(
  tx: Tx,
  accountUuid: string,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<KnownIdentity | undefined> {
  const { rows } = await sql<KnownIdentity>`
    select i.user_uuid, i.email, u.email as own_email, i.by_person, u.disabled or coalesce(au.disabled, false) as disabled,
      au.role_uuid, u.sysadmin or u.support as is_above,
      (
        select count(*)::integer
        from account_user other
        where other.user_uuid = u.uuid and other.account_uuid <> ${accountUuid}
      ) as other_accounts
    from user_identity i
    join app_user u on u.uuid = i.user_uuid
    left join account_user au on au.user_uuid = u.uuid and au.account_uuid = ${accountUuid}
    where i.provider = ${issuer} and i.subject = ${subject}
    for update of u
  `.execute(tx)
  return rows[0]
}

interface PersonHere {
  disabled: boolean
  role_uuid: string
  /** Stands above the roles of accounts. */
  is_above: boolean
  /** Connected with another subject of the same issuer. */
  is_linked: boolean
}

/** A member of an account, as far as it matters for a first sign-in by a provider; the person's row is locked. */
export async function lockPersonHere(
  tx: Tx,
  { accountUuid, userUuid, issuer }: { accountUuid: string; userUuid: string; issuer: string },
): Promise<PersonHere | undefined> {
  const { rows } = await sql<PersonHere>`
    select u.disabled or au.disabled as disabled, au.role_uuid, u.sysadmin or u.support as is_above,
      exists (select from user_identity i where i.user_uuid = u.uuid and i.provider = ${issuer}) as is_linked
    from app_user u
    join account_user au on au.user_uuid = u.uuid and au.account_uuid = ${accountUuid}
    where u.uuid = ${userUuid}
    for update of u
  `.execute(tx)
  return rows[0]
}

/** Connects a person with an identity, or notes that it was used. False when it is another person's. */
export async function putIdentity(
  tx: Tx,
  one: { issuer: string; subject: string; userUuid: string; email: string; isByPerson: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    insert into user_identity (provider, subject, user_uuid, email, by_person, last_used)
    values (${one.issuer}, ${one.subject}, ${one.userUuid}, ${one.email}, ${one.isByPerson}, now())
    on conflict (provider, subject) do update
    set email = coalesce(nullif(excluded.email, ''), user_identity.email),
      by_person = user_identity.by_person or excluded.by_person, last_used = now()
    where user_identity.user_uuid = excluded.user_uuid
    returning 1
  `.execute(tx)
  return rows.length > 0
}

/** Ends a person's connections with an issuer. False when there were none. */
export async function deleteIdentity(tx: Tx, userUuid: string, issuer: string): Promise<boolean> {
  const { rows } = await sql`
    delete from user_identity
    where user_uuid = ${userUuid} and provider = ${issuer}
    returning 1
  `.execute(tx)
  return rows.length > 0
}

export async function isLinked(db: Db, userUuid: string, issuer: string): Promise<boolean> {
  const { rows } = await sql`
    select from user_identity where user_uuid = ${userUuid} and provider = ${issuer} limit 1
  `.execute(db)
  return rows.length > 0
}

interface OwnIdentityRow {
  provider: string
  button: string
  account: string
  is_linked: number
  email: string
  since: string
  last_used: string
  sso_only: number
}

/**
 * The providers of a person's accounts with the person's identities there, as far as they let the person in: of somebody
 * of several accounts those alone that the person connected by own wish.
 */
export async function listOwnIdentities(db: Db, userUuid: string): Promise<OwnIdentityRow[]> {
  const { rows } = await sql<OwnIdentityRow>`
    select p.uuid as provider, p.button, a.name as account, (i.user_uuid is not null)::integer as is_linked,
      coalesce(i.email, '') as email,
      coalesce(to_char(i.created at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00'), '') as since,
      coalesce(to_char(i.last_used at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00'), '') as last_used,
      (p.sso_only or au.sso_only)::integer as sso_only
    from account_user au
    join account a on a.uuid = au.account_uuid
    join identity_provider p on p.account_uuid = a.uuid and p.is_on
    left join lateral (
      select one.user_uuid, one.email, one.created, one.last_used
      from user_identity one
      where one.user_uuid = au.user_uuid and one.provider = p.issuer
        and (
          one.by_person
          or not exists (
            select from account_user other where other.user_uuid = au.user_uuid and other.account_uuid <> au.account_uuid
          )
        )
      order by one.created
      limit 1
    ) i on true
    where au.user_uuid = ${userUuid} and not au.disabled
    order by a.name, p.uuid
  `.execute(db)
  return rows
}

/** The provider by which a session was opened. */
export async function findProviderOfSession(db: Db, sessionUuid: string): Promise<string | undefined> {
  const { rows } = await sql<{ provider_uuid: string | null }>`
    select provider_uuid from session where uuid = ${sessionUuid}
  `.execute(db)
  return rows[0]?.provider_uuid ?? undefined
}

/** Whether another account of a person than this one requires a second factor. */
export async function isPinRequiredElsewhere(db: Db, userUuid: string, accountUuid: string): Promise<boolean> {
  const { rows } = await sql`
    select
    from account_user au
    join account a on a.uuid = au.account_uuid
    where au.user_uuid = ${userUuid} and not au.disabled and (a.pin_required or au.pin_required) and a.uuid <> ${accountUuid}
    limit 1
  `.execute(db)
  return rows.length > 0
}
