import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { FilterColumns } from '../../db/filter-sql.ts'
import type { FieldHolder } from '../customfield/field-columns.sql.ts'
import { type ListSql, totalColumn } from '../list-page.sql.ts'
import type { Designation } from '@hilum/contract/inbox-config'

/** Groups and locations stand in one table. */
export type PlaceKind = 'group' | 'location'

export interface GroupRow {
  uuid: string
  name: string
  account_uuid: string
  namespace_uuid: string
  designation: Designation
  must_approve: boolean
  must_approve_upload: boolean
  must_approve_harvest: boolean
  must_approve_move: boolean
  no_share: boolean
  share_code: string
  share_description: string
  share_settings: Record<string, unknown>
  default_role_uuid: string | null
  default_role_name: string | null
  user_count: number
  customfields: Record<string, string>
}

const userCount = sql`(select count(*)::integer from group_user gu where gu.group_uuid = g.uuid)`

export const groupColumns: FilterColumns = {
  uuid: { kind: 'uuid', column: sql`g.uuid` },
  name: { kind: 'text', column: sql`g.name` },
  namespace_id: { kind: 'uuid', column: sql`g.namespace_uuid` },
  group_designation: { kind: 'exact', column: sql`g.designation` },
  role_id: { kind: 'uuid', column: sql`g.default_role_uuid` },
  role_name: { kind: 'text', column: sql`coalesce(r.name, '')` },
  share_code: { kind: 'text', column: sql`g.share_code` },
  must_approve: { kind: 'flag', column: sql`g.must_approve` },
  must_approve_upload: { kind: 'flag', column: sql`g.must_approve_upload` },
  must_approve_harvest: { kind: 'flag', column: sql`g.must_approve_harvest` },
  no_share: { kind: 'flag', column: sql`g.no_share` },
  user_count: { kind: 'integer', column: userCount },
}
/** Where a group or location holds values of custom fields. */
export const fieldsOfGroup: FieldHolder = { column: sql`g.customfields` }
export const groupOrder = sql`g.name, g.uuid`

const columns = sql`g.uuid, g.name, g.account_uuid, g.namespace_uuid, g.designation, g.must_approve,
      g.must_approve_upload, g.must_approve_harvest, g.must_approve_move, g.no_share, g.share_code,
      g.share_description, g.share_settings, g.default_role_uuid, r.name as default_role_name,
      ${userCount} as user_count, g.customfields`

/** The groups or the locations of an account. `onlyUuids` limits them to the ones the caller belongs to. */
export async function listGroups(
  db: Db,
  { accountUuid, kind, onlyUuids }: { accountUuid: string; kind: PlaceKind; onlyUuids?: readonly string[] | undefined },
  list: ListSql,
): Promise<GroupRow[]> {
  const { rows } = await sql<GroupRow>`
    select ${columns}, ${totalColumn}
    from app_group g
    left join role r on r.uuid = g.default_role_uuid
    where g.account_uuid = ${accountUuid} and g.kind = ${kind}
      and (${onlyUuids === undefined} or g.uuid = any(${[...(onlyUuids ?? [])]}::uuid[]))
      and ${list.where}
    order by ${list.orderBy}
    limit ${list.limit}
  `.execute(db)
  return rows
}

export async function findGroup(db: Db, groupUuid: string): Promise<GroupRow | undefined> {
  const { rows } = await sql<GroupRow>`
    select ${columns}
    from app_group g
    left join role r on r.uuid = g.default_role_uuid
    where g.uuid = ${groupUuid}
  `.execute(db)
  return rows[0]
}

/** A group or location of the account with this name, in any case. */
export async function findGroupByName(db: Db, accountUuid: string, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ uuid: string }>`
    select g.uuid
    from app_group g
    where g.account_uuid = ${accountUuid} and lower(g.name) = lower(${name})
    limit 1
  `.execute(db)
  return rows[0]?.uuid
}

/** Of these uuids the ones of gatekeeper groups of the account. */
export async function listGatekeepers(db: Db, accountUuid: string, uuids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ uuid: string }>`
    select g.uuid
    from app_group g
    where g.account_uuid = ${accountUuid} and g.kind = 'group' and g.designation = 'GATEKEEPER'
      and g.uuid = any(${[...uuids]}::uuid[])
    order by g.uuid
  `.execute(db)
  return rows.map((row) => row.uuid)
}

/** Whether a namespace holds studies that are not deleted. */
export async function hasStudies(db: Db, namespaceUuid: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from study s where s.phi_namespace = ${namespaceUuid} and s.deleted_at is null) as found
  `.execute(db)
  return rows[0]?.found ?? false
}
