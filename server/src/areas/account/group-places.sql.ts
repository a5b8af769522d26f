import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

interface GroupPlace {
  uuid: string
  /** The group's default role, where it has one. */
  default_role: string | null
  /** A role of the person's own in the group; empty for none, null for somebody who does not belong to it. */
  own_role: string | null
}

/** The groups, or the locations, of an account with the place that a person has in each. */
export async function listGroupPlaces(
  db: Db,
  accountUuid: string,
  userUuid: string,
  kind: 'group' | 'location' = 'group',
): Promise<GroupPlace[]> {
  const { rows } = await sql<GroupPlace>`
    select g.uuid, g.default_role_uuid as default_role,
      case when gu.user_uuid is not null then coalesce(gu.role_uuid::text, '') end as own_role
    from app_group g
    left join group_user gu on gu.group_uuid = g.uuid and gu.user_uuid = ${userUuid}
    where g.account_uuid = ${accountUuid} and g.kind = ${kind}
    order by g.uuid
  `.execute(db)
  return rows
}

export async function deleteGroupMember(db: Db, groupUuids: readonly string[], userUuid: string): Promise<void> {
  await sql`
    delete from group_user
    where group_uuid = any(${[...groupUuids]}::uuid[]) and user_uuid = ${userUuid}
  `.execute(db)
}
