import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'
import { type ListSql, pageWithTotal } from '../list-page.sql.ts'

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
  /** Of all rows of a list. */
  total?: number
}

const name = sql`coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email)`

export const accountUserColumns: FilterColumns = {
  user_id: { kind: 'uuid', column: sql`u.uuid` },
  user_name: { kind: 'text', column: name },
  'user.first': { kind: 'text', column: sql`u.first_name` },
  'user.last': { kind: 'text', column: sql`u.last_name` },
  user_email: { kind: 'text', column: sql`u.email` },
  role_id: { kind: 'uuid', column: sql`au.role_uuid` },
  role_name: { kind: 'text', column: sql`r.name` },
  account_login: { kind: 'text', column: sql`au.account_login` },
  user_disabled: { kind: 'flag', column: sql`(u.disabled or au.disabled)` },
  disabled: { kind: 'flag', column: sql`(u.disabled or au.disabled)` },
  // people who never signed in come after all others where the latest are first
  last_login: { kind: 'stamp', column: sql`coalesce(u.last_login, '-infinity')` },
}
export const accountUserOrder = sql`lower(${name}), u.uuid`

export async function listAccountUsers(db: Db, accountUuid: string, list: ListSql): Promise<AccountUserRow[]> {
  return pageWithTotal(
    list,
    async (more) => {
      const { rows } = await sql<AccountUserRow>`
        ${ofAccount(accountUuid, more)}
          and ${list.where}
        order by ${list.orderBy}
        limit ${list.limit}
      `.execute(db)
      return rows
    },
    () => countAccountUsers(db, accountUuid),
  )
}

async function countAccountUsers(db: Db, accountUuid: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total
    from account_user
    where account_uuid = ${accountUuid}
  `.execute(db)
  return rows[0]?.total ?? 0
}

export async function findAccountUser(
  db: Db,
  accountUuid: string,
  userUuid: string,
): Promise<AccountUserRow | undefined> {
  const { rows } = await sql<AccountUserRow>`
    ${ofAccount(accountUuid)}
      and u.uuid = ${userUuid}
  `.execute(db)
  return rows[0]
}

function ofAccount(accountUuid: string, more: RawBuilder<unknown> = sql``): RawBuilder<unknown> {
  return sql`
    select u.uuid as user_id, ${name} as user_name, u.email as user_email, u.first_name as first, u.last_name as last,
      au.role_uuid as role_id, r.name as role_name, u.disabled or au.disabled as disabled, au.account_login,
      to_char(u.last_login at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') as last_login${more}
    from account_user au
    join app_user u on u.uuid = au.user_uuid
    join role r on r.uuid = au.role_uuid
    where au.account_uuid = ${accountUuid}`
}

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
