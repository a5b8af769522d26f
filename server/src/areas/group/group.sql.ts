import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'
import { type ListSql, totalColumn } from '../list-page.ts'

export interface GroupRow {
  uuid: string
  name: string
  account_uuid: string
  namespace_uuid: string
  must_approve: boolean
  must_approve_upload: boolean
  must_approve_harvest: boolean
  must_approve_move: boolean
  no_share: boolean
  share_code: string
  share_description: string
  default_role_uuid: string | null
  default_role_name: string | null
}

export const groupColumns: FilterColumns = {
  uuid: { kind: 'uuid', column: sql`g.uuid` },
  name: { kind: 'text', column: sql`g.name` },
  namespace_id: { kind: 'uuid', column: sql`g.namespace_uuid` },
}
export const groupOrder = sql`g.name, g.uuid`

/** The groups of an account. `onlyUuids` limits them to the ones the caller belongs to. */
export async function listGroups(
  db: Db,
  accountUuid: string,
  onlyUuids: readonly string[] | undefined,
  list: ListSql,
): Promise<GroupRow[]> {
  const { rows } = await sql<GroupRow>`
    select g.uuid, g.name, g.account_uuid, g.namespace_uuid, g.must_approve, g.must_approve_upload,
      g.must_approve_harvest, g.must_approve_move, g.no_share, g.share_code, g.share_description,
      g.default_role_uuid, r.name as default_role_name, ${totalColumn}
    from app_group g
    left join role r on r.uuid = g.default_role_uuid
    where g.account_uuid = ${accountUuid}
      and (${onlyUuids === undefined} or g.uuid = any(${[...(onlyUuids ?? [])]}::uuid[]))
      and ${list.where}
    order by ${list.orderBy}
    limit ${list.limit}
  `.execute(db)
  return rows
}
