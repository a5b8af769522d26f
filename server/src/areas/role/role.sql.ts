import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'
import { type ListSql, pageWithTotal, totalColumn } from '../list-page.sql.ts'
import { countPeople, listedPersonColumns } from '../listed-people.sql.ts'

export interface RoleRow {
  uuid: string
  name: string
  description: string
  type: string
  for_account: boolean
  for_group: boolean
  for_location: boolean
  permissions: string[]
  /** The setting `study_field_flags` of the role, JSON text. */
  field_flags: string | null
  /** The setting `ui_json` of the role, JSON text. */
  ui_json: string | null
  user_count: number
}

/** People who have role `r` somewhere. */
const userCount = sql`(
      select count(*)::integer
      from (
        select au.user_uuid from account_user au where au.role_uuid = r.uuid
        union
        select gu.user_uuid from group_user gu where gu.role_uuid = r.uuid
      ) having_it
    )`

export const roleColumns: FilterColumns = {
  uuid: { kind: 'uuid', column: sql`r.uuid` },
  name: { kind: 'text', column: sql`r.name` },
  description: { kind: 'text', column: sql`r.description` },
  type: { kind: 'exact', column: sql`r.type` },
  for_account: { kind: 'flag', column: sql`r.for_account` },
  for_group: { kind: 'flag', column: sql`r.for_group` },
  for_location: { kind: 'flag', column: sql`r.for_location` },
  user_count: { kind: 'integer', column: userCount },
}
export const roleOrder = sql`r.name, r.uuid`

const setting = (key: string) =>
  sql`(select s.value from setting s where s.scope = 'role' and s.scope_uuid = r.uuid and s.key = ${key})`

const columns: RawBuilder<unknown> = sql`r.uuid, r.name, r.description, r.type, r.for_account, r.for_group,
      r.for_location, r.permissions, ${setting('study_field_flags')} as field_flags, ${setting('ui_json')} as ui_json,
      ${userCount} as user_count`

export async function listRoles(db: Db, accountUuid: string, list: ListSql): Promise<RoleRow[]> {
  const { rows } = await sql<RoleRow>`
    select ${columns}, ${totalColumn}
    from role r
    where r.account_uuid = ${accountUuid}
      and ${list.where}
    order by ${list.orderBy}
    limit ${list.limit}
  `.execute(db)
  return rows
}

/** Roles of an account by name, so many at most. */
export function listAllRoles(db: Db, accountUuid: string, most: number): Promise<RoleRow[]> {
  return listRoles(db, accountUuid, { where: sql`true`, orderBy: roleOrder, limit: sql`${most}` })
}

export async function findWholeRole(db: Db, accountUuid: string, roleUuid: string): Promise<RoleRow | undefined> {
  const { rows } = await sql<RoleRow>`
    select ${columns}
    from role r
    where r.account_uuid = ${accountUuid} and r.uuid = ${roleUuid}
  `.execute(db)
  return rows[0]
}

export interface HeldRole {
  uuid: string
  for_account: boolean
  for_group: boolean
  for_location: boolean
  permissions: string[]
  field_flags: string | null
}

export async function findRole(db: Db, accountUuid: string, roleUuid: string): Promise<HeldRole | undefined> {
  const { rows } = await sql<HeldRole>`
    select r.uuid, r.for_account, r.for_group, r.for_location, r.permissions,
      ${setting('study_field_flags')} as field_flags
    from role r
    where r.account_uuid = ${accountUuid} and r.uuid = ${roleUuid}
  `.execute(db)
  return rows[0]
}

/** Where a role is in use, by the kinds of use: for whom now or by a rule of sign-in, and as whose default. */
interface RoleUse {
  account: boolean
  group: boolean
  location: boolean
  /** The default of the account, of a group or of a location. */
  default: boolean
}

export async function findRoleUse(db: Db, roleUuid: string): Promise<RoleUse> {
  const inPlace = (kind: 'group' | 'location') => sql`exists (
        select
        from group_user gu
        join app_group g on g.uuid = gu.group_uuid and g.kind = ${kind}
        where gu.role_uuid = ${roleUuid}
      )`
  // without its rules a provider would let in people whom they refuse
  const byProvider = (which: RawBuilder<unknown>) =>
    sql`exists (select from identity_rule r where r.role_uuid = ${roleUuid} and ${which})`
  const { rows } = await sql<RoleUse>`
    select exists (select from account_user au where au.role_uuid = ${roleUuid})
        or ${byProvider(sql`r.group_uuid is null`)}
        or exists (select from identity_provider p where p.unmapped_role_uuid = ${roleUuid}) as account,
      ${inPlace('group')} or ${byProvider(sql`r.group_uuid is not null`)} as "group",
      ${inPlace('location')} as location,
      exists (select from account a where a.default_role_uuid = ${roleUuid})
        or exists (select from app_group g where g.default_role_uuid = ${roleUuid}) as "default"
  `.execute(db)
  return rows[0] ?? { account: false, group: false, location: false, default: false }
}

interface DefaultPlaceRow {
  type: 'account' | 'group' | 'location'
  uuid: string
  name: string
}

/** The places whose members have the role unless they were given one of their own. */
export async function listPlacesWithDefault(db: Db, roleUuid: string): Promise<DefaultPlaceRow[]> {
  const { rows } = await sql<DefaultPlaceRow>`
    select 'account' as type, a.uuid, a.name from account a where a.default_role_uuid = ${roleUuid}
    union all
    select g.kind, g.uuid, g.name from app_group g where g.default_role_uuid = ${roleUuid}
    order by type, name, uuid
  `.execute(db)
  return rows
}

interface RolePersonRow {
  user_id: string
  user_name: string
  user_email: string
  disabled: boolean
  place_type: 'account' | 'group' | 'location'
  place_id: string
  place_name: string
  /** Of all rows of a list. */
  total?: number
}

const placeName = sql`case l.place_type
  when 'account' then (select a.name from account a where a.uuid = l.place_uuid)
  else (select g.name from app_group g where g.uuid = l.place_uuid)
end`

export const rolePersonColumns: FilterColumns = {
  user_name: listedPersonColumns.user_name,
  user_email: listedPersonColumns.user_email,
  place_name: { kind: 'text', column: placeName },
  place_type: { kind: 'exact', column: sql`l.place_type` },
}
export const rolePersonOrder = sql`l.name, l.user_uuid, l.place_type, ${placeName}, l.place_uuid`

/** The people who have a role of an account, once for each place in which they have it. */
export async function listRolePeople(db: Db, roleUuid: string, list: ListSql): Promise<RolePersonRow[]> {
  return pageWithTotal(readPeople(db, roleUuid, list), countPeople(db, sql`l.role_uuid = ${roleUuid}`, list))
}

async function readPeople(db: Db, roleUuid: string, list: ListSql): Promise<RolePersonRow[]> {
  const { rows } = await sql<RolePersonRow>`
    select u.uuid as user_id, coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email) as user_name,
      u.email as user_email, l.disabled, l.place_type, l.place_uuid as place_id, ${placeName} as place_name
    from (
      select l.place_uuid, l.user_uuid
      from listed_person l
      where l.role_uuid = ${roleUuid}
        and ${list.where}
      order by ${list.orderBy}
      limit ${list.limit}
    ) page
    join listed_person l on l.place_uuid = page.place_uuid and l.user_uuid = page.user_uuid
    join app_user u on u.uuid = l.user_uuid
    order by ${list.orderBy}
  `.execute(db)
  return rows
}

/** Another role of the account with this name, in any case. */
export async function findRoleByName(db: Db, accountUuid: string, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ uuid: string }>`
    select r.uuid
    from role r
    where r.account_uuid = ${accountUuid} and lower(r.name) = lower(${name})
    limit 1
  `.execute(db)
  return rows[0]?.uuid
}
