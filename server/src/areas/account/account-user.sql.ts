import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'
import { type ListSql, pageWithTotal } from '../list-page.sql.ts'
import type { FieldHolder } from '../customfield/field-columns.sql.ts'
import { heldRoleUuids } from './member.sql.ts'
import {
  byRoleName,
  countPeople,
  listedPersonColumns,
  listedPersonFilters,
  ofRolesNamed,
  pageOfParts,
  pageOfPeople,
  type PartsAsked,
  partsOfPage,
} from '../listed-people.sql.ts'

export interface AccountUserRow {
  user_id: string
  user_name: string
  user_email: string
  first: string
  last: string
  role_id: string
  role_name: string
  disabled: boolean
  account_login: string
  last_login: string | null
  customfields: Record<string, string>
  is_operator: boolean
  held_roles: string[]
  /** Of all rows of a list. */
  total?: number
}

const name = sql`coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email)`

/** Filters of the list; by roles it is sorted role by role. */
export const accountUserColumns: FilterColumns = {
  ...listedPersonFilters,
  role_name: (term, zone) => ofRolesNamed(sql`l.role_uuid`, term, zone),
  account_login: { kind: 'text', column: sql`l.login`, isFolded: true },
  user_disabled: { kind: 'flag', column: sql`l.disabled` },
  disabled: { kind: 'flag', column: sql`l.disabled` },
  // people who never signed in come after all others where the latest are first
  last_login: { kind: 'stamp', column: sql`l.last_login` },
}
export const accountUserSorts: FilterColumns = {
  ...accountUserColumns,
  ...listedPersonColumns,
  ...byRoleName(sql`l.role_uuid`),
}
/** Where the list of people finds values of custom fields: in the membership, which the narrow rows `l` leave out. */
export const fieldsOfPerson: FieldHolder = {
  column: sql`f.customfields`,
  from: sql`from account_user f where f.account_uuid = l.place_uuid and f.user_uuid = l.user_uuid`,
}

export async function listAccountUsers(db: Db, accountUuid: string, list: ListSql): Promise<AccountUserRow[]> {
  const page = pageOfPeople(sql`l.place_uuid = ${accountUuid}`, list)
  return pageWithTotal(readPage(db, accountUuid, page), countPeople(db, sql`l.place_uuid = ${accountUuid}`, list))
}

/** The people of an account role by role; within a role the order is the list's. */
export async function listAccountUsersByRole(
  db: Db,
  accountUuid: string,
  list: ListSql,
  asked: PartsAsked,
): Promise<AccountUserRow[]> {
  const ofAccount = {
    within: sql`l.place_uuid = ${accountUuid}`,
    part: sql`l.role_uuid`,
    named: 'roles' as const,
  }
  const { parts, total } = await partsOfPage(db, ofAccount, list, asked)
  return pageWithTotal(readPage(db, accountUuid, pageOfParts(parts, list)), Promise.resolve(total))
}

async function readPage(db: Db, accountUuid: string, page: RawBuilder<string[]>): Promise<AccountUserRow[]> {
  const { rows } = await sql<AccountUserRow>`
    select ${columns}
    from unnest(${page}) with ordinality as page (user_uuid, place)
    join account_user au on au.account_uuid = ${accountUuid} and au.user_uuid = page.user_uuid
    ${joined}
    order by page.place
  `.execute(db)
  return rows
}

export async function findAccountUser(
  db: Db,
  accountUuid: string,
  userUuid: string,
): Promise<AccountUserRow | undefined> {
  const { rows } = await sql<AccountUserRow>`
    select ${columns}
    from account_user au
    ${joined}
    where au.account_uuid = ${accountUuid} and u.uuid = ${userUuid}
  `.execute(db)
  return rows[0]
}

const columns = sql`u.uuid as user_id, ${name} as user_name, u.email as user_email, u.first_name as first,
      u.last_name as last, au.role_uuid as role_id, r.name as role_name, u.disabled or au.disabled as disabled,
      au.account_login, au.customfields, u.sysadmin or u.support as is_operator,
      array(${heldRoleUuids}) as held_roles, to_char(u.last_login at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as last_login`
const joined = sql`join app_user u on u.uuid = au.user_uuid
    join role r on r.uuid = au.role_uuid`

export interface GroupPlaceRow {
  kind: 'group' | 'location'
  uuid: string
  name: string
  role_id: string
  role_name: string
}

/** Groups and locations of the account that the person belongs to; without a role of the person's own there the role is empty. */
export async function listGroupsOfPerson(db: Db, accountUuid: string, userUuid: string): Promise<GroupPlaceRow[]> {
  const { rows } = await sql<GroupPlaceRow>`
    select g.kind, g.uuid, g.name, coalesce(r.uuid::text, '') as role_id, coalesce(r.name, '') as role_name
    from group_user gu
    join app_group g on g.uuid = gu.group_uuid and g.account_uuid = ${accountUuid}
    left join role r on r.uuid = gu.role_uuid
    where gu.user_uuid = ${userUuid}
    order by g.name, g.uuid
  `.execute(db)
  return rows
}
