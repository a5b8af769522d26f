import type { SortTerm } from '@hilum/contract/list'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { type FilterColumns, filterSql } from '../../db/filter-sql.ts'
import { type ListSql, pageWithTotal, totalColumn } from '../list-page.sql.ts'
import {
  countPeople,
  listedPersonColumns,
  listedPersonFilters,
  placesWithNames,
  type PartsAsked,
  partsOfPage,
} from '../listed-people.sql.ts'

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

const placeFilter: FilterColumns = { place_name: { kind: 'text', column: sql`p.name` } }

/** Filters of the people of a role; by places it is sorted place by place. */
export const rolePersonColumns: FilterColumns = {
  user_name: listedPersonFilters.user_name,
  user_email: listedPersonFilters.user_email,
  place_name: (term, zone) =>
    sql`l.place_uuid in (select p.uuid from (${placesWithNames}) p where ${filterSql([term], placeFilter, zone)})`,
  place_type: { kind: 'exact', column: sql`l.place_type` },
}

/** The order after what was asked for, as the indexes of a role's people have it. */
export function orderOfRolePeople([first]: readonly SortTerm[]): RawBuilder<unknown> {
  const places = first?.descending
    ? sql`l.user_uuid desc, l.place_type desc, l.place_uuid desc`
    : sql`l.user_uuid, l.place_type, l.place_uuid`
  return first?.field === 'user_email' ? places : sql`l.name${first?.descending ? sql` desc` : sql``}, ${places}`
}

/** Sorts of the people of a role; names of places are looked up for each person where others come before. */
export const rolePersonSorts: FilterColumns = {
  ...rolePersonColumns,
  ...listedPersonColumns,
  place_name: { kind: 'text', column: sql`(select p.name from (${placesWithNames}) p where p.uuid = l.place_uuid)` },
}

const ofRole = (roleUuid: string) => sql`l.role_uuid = ${roleUuid}`

/** The people who have a role of an account, once for each place in which they have it. */
export async function listRolePeople(db: Db, roleUuid: string, list: ListSql): Promise<RolePersonRow[]> {
  const page = readPeople(db, placesOfPeople(ofRole(roleUuid), list), list.orderBy)
  return pageWithTotal(page, countPeople(db, ofRole(roleUuid), list))
}

/** The people who have a role of an account place by place; within a place the order is the list's. */
export async function listRolePeopleByPlace(
  db: Db,
  roleUuid: string,
  list: ListSql,
  asked: PartsAsked,
): Promise<RolePersonRow[]> {
  const byPlace = { within: ofRole(roleUuid), part: sql`l.place_uuid`, named: 'places' as const }
  const { parts, total } = await partsOfPage(db, byPlace, list, asked)
  if (parts.length === 0) return []
  const pages = parts.map(({ condition, limit }) => sql`(${placesOfPeople(condition, { ...list, limit })})`)
  const towards = asked.isDescending ? sql`desc` : sql`asc`
  const orderBy = sql`lower(place.name) ${towards}, l.place_uuid ${towards}, ${list.orderBy}`
  return pageWithTotal(readPeople(db, sql.join(pages, sql` union all `), orderBy), Promise.resolve(total))
}

const placesOfPeople = (condition: RawBuilder<unknown>, list: ListSql) => sql`
      select l.place_uuid, l.user_uuid
      from listed_person l
      where ${condition}
        and ${list.where}
      order by ${list.orderBy}
      limit ${list.limit}`

async function readPeople(db: Db, page: RawBuilder<unknown>, orderBy: RawBuilder<unknown>): Promise<RolePersonRow[]> {
  const { rows } = await sql<RolePersonRow>`
    select u.uuid as user_id, coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email) as user_name,
      u.email as user_email, l.disabled, l.place_type, l.place_uuid as place_id, place.name as place_name
    from (${page}) page
    join listed_person l on l.place_uuid = page.place_uuid and l.user_uuid = page.user_uuid
    join app_user u on u.uuid = l.user_uuid
    join lateral (select p.name from (${placesWithNames}) p where p.uuid = l.place_uuid) place on true
    order by ${orderBy}
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
