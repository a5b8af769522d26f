import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'
import { type ListSql, totalColumn } from '../list-page.ts'

export interface RoleRow {
  uuid: string
  name: string
  description: string
  type: string
  for_account: boolean
  for_group: boolean
  for_location: boolean
  permissions: string[]
}

export const roleColumns: FilterColumns = {
  uuid: { kind: 'uuid', column: sql`r.uuid` },
  name: { kind: 'text', column: sql`r.name` },
}
export const roleOrder = sql`r.name, r.uuid`

export async function listRoles(db: Db, accountUuid: string, list: ListSql): Promise<RoleRow[]> {
  const { rows } = await sql<RoleRow>`
    select r.uuid, r.name, r.description, r.type, r.for_account, r.for_group, r.for_location, r.permissions,
      ${totalColumn}
    from role r
    where r.account_uuid = ${accountUuid}
      and ${list.where}
    order by ${list.orderBy}
    limit ${list.limit}
  `.execute(db)
  return rows
}

export interface HeldRole {
  uuid: string
  for_account: boolean
  for_group: boolean
  permissions: string[]
}

export async function findRole(db: Db, accountUuid: string, roleUuid: string): Promise<HeldRole | undefined> {
  const { rows } = await sql<HeldRole>`
    select r.uuid, r.for_account, r.for_group, r.permissions
    from role r
    where r.account_uuid = ${accountUuid} and r.uuid = ${roleUuid}
  `.execute(db)
  return rows[0]
}
