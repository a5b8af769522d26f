import { administratorHolds } from '@hilum/contract/roles'
import { foldLogin } from '@hilum/contract/fold-login'
import { type RawBuilder, sql } from 'kysely'
import { isSsoOnly } from '../session/sign-in.sql.ts'
import type { Db } from '../../db/database.ts'
import { isUnproven } from '../user/user-write.sql.ts'

/** Lets changes of the people of these accounts run one after the other, until the transaction ends. */
export async function lockAccounts(db: Db, accountUuids: readonly string[]): Promise<void> {
  await sql`
    select
    from account
    where uuid = any(${[...accountUuids]}::uuid[])
    order by uuid
    for no key update
  `.execute(db)
}

/**
 * By account how surely somebody who is not disabled holds all that an administrator does: 2 where such a person has
 * signed in, 1 where all of them were only invited. Accounts without one are left out.
 */
export async function listAdministered(db: Db, accountUuids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ uuid: string; surety: number }>`
    select au.account_uuid as uuid, max(case when u.last_login is null then 1 else 2 end) as surety
    from account_user au
    join app_user u on u.uuid = au.user_uuid and not u.disabled
    join role r on r.uuid = au.role_uuid and r.permissions @> ${[...administratorHolds]}::text[]
    where au.account_uuid = any(${[...accountUuids]}::uuid[]) and not au.disabled
    group by au.account_uuid
    order by au.account_uuid
  `.execute(db)
  return new Map(rows.map((row) => [row.uuid, row.surety]))
}

/** Accounts that a change left without an administrator, or with none who has signed in where there was one. */
export function leftWithout(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): string[] {
  return [...before].filter(([uuid, surety]) => (after.get(uuid) ?? 0) < surety).map(([uuid]) => uuid)
}

export interface Member {
  email: string
  first: string
  last: string
  role_uuid: string
  has_signed_in: boolean
  /** Kept out of the account, or altogether. */
  disabled: boolean
  other_accounts: number
  /** Has a flag of the system, sysadmin or support. */
  is_operator: boolean
  /** Every role that holds for the person in the account and its groups and locations. */
  roles: RoleRights[]
  /** Flags of study fields in the account's own inbox, JSON text. */
  place_flags: string | null
}

/** How the audit calls a person. */
export function nameOf({ first, last, email }: Pick<Member, 'first' | 'last' | 'email'>): string {
  return `${first} ${last}`.trim() || email
}

export interface RoleRights {
  permissions: string[]
  /** JSON text. */
  field_flags: string | null
}

const fieldFlagsOf = (scope: 'role' | 'namespace', uuid: RawBuilder<unknown>) => sql<string | null>`(
  select s.value from setting s where s.scope = ${sql.lit(scope)} and s.scope_uuid = ${uuid} and s.key = 'study_field_flags'
)`

/** Roles that hold for a person in an account and its groups and locations. Rows `au` of `account_user` are in reach. */
export const heldRoleUuids = sql`
  select au.role_uuid
  union
  select coalesce(gu.role_uuid, g.default_role_uuid, au.role_uuid)
  from group_user gu
  join app_group g on g.uuid = gu.group_uuid and g.account_uuid = au.account_uuid
  where gu.user_uuid = au.user_uuid
`

/** Flags of study fields in an account's own inbox, JSON text, by which roles of the account are compared. */
export async function findPlaceFlags(db: Db, accountUuid: string): Promise<string | null> {
  const { rows } = await sql<{ flags: string | null }>`
    select ${fieldFlagsOf('namespace', sql`a.namespace_uuid`)} as flags
    from account a
    where a.uuid = ${accountUuid}
  `.execute(db)
  return rows[0]?.flags ?? null
}

/** The roles that hold for these people of an account, or for anybody of it. */
export async function listHeldRoles(
  db: Db,
  accountUuid: string,
  userUuids?: readonly string[],
): Promise<(RoleRights & { uuid: string })[]> {
  const who = userUuids ? sql`au.user_uuid = any(${[...userUuids]}::uuid[])` : sql`true`
  const { rows } = await sql<RoleRights & { uuid: string }>`
    select r.uuid, r.permissions, ${fieldFlagsOf('role', sql`r.uuid`)} as field_flags
    from role r
    where r.account_uuid = ${accountUuid}
      and r.uuid in (
        select held.role_uuid
        from account_user au
        cross join lateral (${heldRoleUuids}) held
        where au.account_uuid = ${accountUuid} and ${who}
      )
    order by r.uuid
  `.execute(db)
  return rows
}

/** A person of an account, with the person's row locked: meanwhile no other account takes the person in. */
export async function lockMember(db: Db, accountUuid: string, userUuid: string): Promise<Member | undefined> {
  const { rows } = await sql<Member>`
    select u.email, u.first_name as first, u.last_name as last, au.role_uuid,
      u.last_login is not null as has_signed_in, u.disabled or au.disabled as disabled,
      u.sysadmin or u.support as is_operator,
      (
        select json_agg(
          json_build_object('permissions', r.permissions, 'field_flags', ${fieldFlagsOf('role', sql`r.uuid`)})
          order by r.uuid
        )
        from role r
        where r.uuid in (${heldRoleUuids})
      ) as roles,
      ${fieldFlagsOf('namespace', sql`a.namespace_uuid`)} as place_flags,
      (
        select count(*)::integer
        from account_user other
        where other.user_uuid = u.uuid and other.account_uuid <> au.account_uuid
      ) as other_accounts
    from account_user au
    join app_user u on u.uuid = au.user_uuid
    join account a on a.uuid = au.account_uuid
    where au.account_uuid = ${accountUuid} and au.user_uuid = ${userUuid}
    for update of u
  `.execute(db)
  return rows[0]
}

/** Requires the second factor of one person, or no longer. False when that changed nothing. */
export async function updatePinRequired(
  db: Db,
  accountUuid: string,
  userUuid: string,
  isRequired: boolean,
): Promise<boolean> {
  const { rows } = await sql`
    update account_user
    set pin_required = ${isRequired}
    where account_uuid = ${accountUuid} and user_uuid = ${userUuid} and pin_required <> ${isRequired}
    returning user_uuid
  `.execute(db)
  return rows.length > 0
}

export interface KnownPerson {
  uuid: string
  email: string
  has_signed_in: boolean
  accounts: string[]
  /** The account in which the person began. */
  home_account: string
  /** Has a flag of the system, sysadmin or support. */
  is_operator: boolean
  /** Somebody signs in by the address that an administrator typed, and nobody has shown to read its mails. */
  is_unproven: boolean
  /** The provider of identities of the person's one account signs the person in, or one lets nobody in by password. */
  is_by_provider: boolean
}

/** Somebody who has a login already, by e-mail address; the address stays reserved until the transaction ends. */
export async function findByEmail(db: Db, email: string): Promise<KnownPerson | undefined> {
  const folded = foldLogin(email)
  await sql`select pg_advisory_xact_lock(hashtextextended('email ' || ${folded}::text, 0))`.execute(db)
  const { rows } = await sql<KnownPerson>`
    select u.uuid, u.email, u.last_login is not null as has_signed_in, n.account_uuid as home_account,
      u.sysadmin or u.support as is_operator,
      ${isUnproven} as is_unproven,
      exists (${isSsoOnly}) or exists (
        select
        from user_identity i
        join identity_provider p on p.issuer = i.provider and p.is_on
        join account_user au on au.account_uuid = p.account_uuid and au.user_uuid = u.uuid and not au.disabled
        where i.user_uuid = u.uuid and not i.by_person and not exists (
          select from account_user other where other.user_uuid = u.uuid and other.account_uuid <> p.account_uuid
        )
      ) as is_by_provider,
      array(select au.account_uuid::text from account_user au where au.user_uuid = u.uuid order by 1) as accounts
    from app_user u
    join namespace n on n.uuid = u.namespace_uuid
    where u.email_folded = ${folded}
    for update of u
  `.execute(db)
  return rows[0]
}

/** A person's address, and the account in which the person began. */
export async function findLoginPlace(
  db: Db,
  userUuid: string,
): Promise<Pick<KnownPerson, 'email' | 'home_account'> | undefined> {
  const { rows } = await sql<Pick<KnownPerson, 'email' | 'home_account'>>`
    select u.email, n.account_uuid as home_account
    from app_user u
    join namespace n on n.uuid = u.namespace_uuid
    where u.uuid = ${userUuid}
  `.execute(db)
  return rows[0]
}

/** The person of an account who has this address. */
export async function findMemberByEmail(
  db: Db,
  accountUuid: string,
  email: string,
): Promise<{ uuid: string; email: string; disabled: boolean; has_signed_in: boolean } | undefined> {
  const { rows } = await sql<{ uuid: string; email: string; disabled: boolean; has_signed_in: boolean }>`
    select u.uuid, u.email, u.disabled or au.disabled as disabled, u.last_login is not null as has_signed_in
    from account_user au
    join app_user u on u.uuid = au.user_uuid
    where au.account_uuid = ${accountUuid} and u.email_folded = ${foldLogin(email)}
  `.execute(db)
  return rows[0]
}

export async function findDefaultRole(db: Db, accountUuid: string): Promise<string | undefined> {
  const { rows } = await sql<{ uuid: string | null }>`
    select a.default_role_uuid as uuid
    from account a
    where a.uuid = ${accountUuid}
  `.execute(db)
  return rows[0]?.uuid ?? undefined
}

export async function updateMemberRole(db: Db, accountUuid: string, userUuid: string, roleUuid: string): Promise<void> {
  await sql`
    update account_user
    set role_uuid = ${roleUuid}
    where account_uuid = ${accountUuid} and user_uuid = ${userUuid}
  `.execute(db)
}

export async function updateNameAndEmail(
  db: Db,
  userUuid: string,
  person: { first: string; last: string; email: string },
): Promise<void> {
  await sql`
    update app_user
    set first_name = ${person.first}, last_name = ${person.last}, email = ${person.email},
      email_folded = ${foldLogin(person.email)},
      address_unproven = address_unproven or email_folded <> ${foldLogin(person.email)}
    where uuid = ${userUuid}
  `.execute(db)
}

/** Takes somebody out of an account and all of its groups. */
export async function deleteMember(db: Db, accountUuid: string, userUuid: string): Promise<void> {
  await sql`
    delete from group_user
    where user_uuid = ${userUuid}
      and group_uuid in (select uuid from app_group where account_uuid = ${accountUuid})
  `.execute(db)
  await sql`
    delete from account_user
    where account_uuid = ${accountUuid} and user_uuid = ${userUuid}
  `.execute(db)
}

export interface Enabling {
  email: string
  has_signed_in: boolean
  /** Disabled altogether. */
  disabled: boolean
  accounts: { uuid: string; disabled: boolean }[]
}

/** Where a person is disabled, with the person's row locked. */
export async function lockEnabling(db: Db, userUuid: string): Promise<Enabling | undefined> {
  const { rows } = await sql<Enabling>`
    select u.email, u.last_login is not null as has_signed_in, u.disabled, coalesce((
        select json_agg(json_build_object('uuid', au.account_uuid, 'disabled', au.disabled) order by au.account_uuid)
        from account_user au
        where au.user_uuid = u.uuid
      ), '[]') as accounts
    from app_user u
    where u.uuid = ${userUuid}
    for update of u
  `.execute(db)
  return rows[0]
}

export async function setMemberDisabled(
  db: Db,
  accountUuids: readonly string[],
  userUuid: string,
  isDisabled: boolean,
): Promise<void> {
  await sql`
    update account_user
    set disabled = ${isDisabled}
    where account_uuid = any(${[...accountUuids]}::uuid[]) and user_uuid = ${userUuid} and disabled <> ${isDisabled}
  `.execute(db)
}
