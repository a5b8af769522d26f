import type { SystemPerson } from '@hilum/contract/calls/system'
import { foldLogin } from '@hilum/contract/fold-login'
import { administratorHolds } from '@hilum/contract/roles'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'
import { type ListSql, totalColumn } from '../list-page.sql.ts'

interface SystemAccountRow {
  uuid: string
  name: string
  created: string
  user_count: number
  group_count: number
  has_studies: boolean
  administrators: { name: string; email: string }[]
  support_until: string | null
}

export const systemAccountColumns: FilterColumns = {
  uuid: { kind: 'uuid', column: sql`a.uuid` },
  name: { kind: 'text', column: sql`a.name` },
  created: { kind: 'stamp', column: sql`a.created` },
}
export const systemAccountOrder = sql`a.name, a.uuid`

/** All accounts; people and groups are counted for those of the page alone. */
export async function listSystemAccounts(db: Db, list: ListSql): Promise<SystemAccountRow[]> {
  const { rows } = await sql<SystemAccountRow>`
    with page as materialized (
      select a.uuid, a.name, a.created, a.support_until, row_number() over (order by ${list.orderBy}) as place,
        ${totalColumn}
      from account a
      where a.closed_at is null and ${list.where}
      order by ${list.orderBy}
      limit ${list.limit}
    )
    select p.uuid, p.name, to_char(p.created at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as created,
      (select count(*)::integer from account_user au where au.account_uuid = p.uuid) as user_count,
      (select count(*)::integer from app_group g where g.account_uuid = p.uuid and g.kind = 'group') as group_count,
      exists (select from study s where s.account_uuid = p.uuid) as has_studies,
      coalesce((
        select json_agg(json_build_object('name', first.name, 'email', first.email) order by first.name, first.email)
        from (
          select trim(u.first_name || ' ' || u.last_name) as name, u.email
          from account_user au
          join app_user u on u.uuid = au.user_uuid and not u.disabled
          join role r on r.uuid = au.role_uuid and r.permissions @> ${[...administratorHolds]}::text[]
          where au.account_uuid = p.uuid and not au.disabled
          order by 1, u.email
          limit 3
        ) first
      ), '[]') as administrators,
      case when p.support_until > now()
        then to_char(p.support_until at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') end as support_until,
      p.total
    from page p
    order by p.place
  `.execute(db)
  return rows
}

/** People who have a flag of the system. */
export async function listSystemPeople(db: Db): Promise<SystemPerson[]> {
  const { rows } = await sql<SystemPerson>`
    select u.uuid, trim(u.first_name || ' ' || u.last_name) as name, u.email, u.sysadmin::integer as sysadmin,
      u.support::integer as support, u.disabled::integer as disabled
    from app_user u
    where u.sysadmin or u.support
    order by u.sysadmin desc, u.email, u.uuid
  `.execute(db)
  return rows
}

interface FlaggedRow {
  uuid: string
  sysadmin: boolean
  support: boolean
  disabled: boolean
  /** The first account, whose audit tells of what happens to the person. */
  account_uuid: string | null
}

/** A person by e-mail address, with the row locked; changes of flags run one after the other. */
export async function lockFlagged(tx: Tx, email: string): Promise<FlaggedRow | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended('system flags', 0))`.execute(tx)
  const { rows } = await sql<FlaggedRow>`
    select u.uuid, u.sysadmin, u.support, u.disabled,
      (select au.account_uuid from account_user au join account a on a.uuid = au.account_uuid
        where au.user_uuid = u.uuid order by au.disabled, a.created, a.uuid limit 1) as account_uuid
    from app_user u
    where u.email_folded = ${foldLogin(email)}
    for update of u
  `.execute(tx)
  return rows[0]
}

/** Whether a person is a system administrator at this moment. */
export async function isSystemAdministrator(tx: Tx, userUuid: string): Promise<boolean> {
  const { rows } = await sql`
    select
    from app_user
    where uuid = ${userUuid} and sysadmin and not disabled
  `.execute(tx)
  return rows.length > 0
}

export async function updateFlags(
  tx: Tx,
  userUuid: string,
  flags: { sysadmin: boolean; support: boolean },
): Promise<void> {
  await sql`
    update app_user
    set sysadmin = ${flags.sysadmin}, support = ${flags.support}
    where uuid = ${userUuid}
  `.execute(tx)
}

interface ProxiedRow {
  uuid: string
  name: string
  email: string
  role_name: string
}

/** People as whom a supporter may sign in: of an account that lets supporters in, and no supporters themselves. */
const proxied = (accountUuid: string) => sql`
    from account_user au
    join account a on a.uuid = au.account_uuid and a.support_until > now()
    join app_user u on u.uuid = au.user_uuid and not u.disabled and not (u.sysadmin or u.support)
    join role r on r.uuid = au.role_uuid
    where au.account_uuid = ${accountUuid} and not au.disabled`

export async function listProxied(db: Db, accountUuid: string, search: string, limit: number): Promise<ProxiedRow[]> {
  const { rows } = await sql<ProxiedRow>`
    select u.uuid, coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email) as name, u.email,
      r.name as role_name
    ${proxied(accountUuid)}
      and (${search} = '' or strpos(lower(u.first_name || ' ' || u.last_name || ' ' || u.email), lower(${search})) > 0)
    order by 2, u.email, u.uuid
    limit ${limit}
  `.execute(db)
  return rows
}

/** The person, with the row locked. */
export async function lockProxied(
  tx: Tx,
  accountUuid: string,
  userUuid: string,
): Promise<{ uuid: string; name: string } | undefined> {
  const { rows } = await sql<{ uuid: string; name: string }>`
    select u.uuid, coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email) as name
    ${proxied(accountUuid)}
      and u.uuid = ${userUuid}
    for update of u
  `.execute(tx)
  return rows[0]
}

/** Whether an account lets supporters in at this moment. */
export async function letsSupportIn(db: Db, accountUuid: string): Promise<boolean> {
  const { rows } = await sql`
    select
    from account
    where uuid = ${accountUuid} and support_until > now()
  `.execute(db)
  return rows.length > 0
}
