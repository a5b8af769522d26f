import type { Designation } from '@hilum/contract/inbox-config'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

export async function addGroup(
  db: Db,
  group: {
    uuid: string
    accountUuid: string
    name: string
    namespaceUuid: string
    designation: Designation
    mustApprove: boolean
  },
): Promise<void> {
  await sql`
    insert into app_group (uuid, account_uuid, name, namespace_uuid, designation, must_approve)
    values (${group.uuid}, ${group.accountUuid}, ${group.name}, ${group.namespaceUuid}, ${group.designation},
      ${group.mustApprove})
  `.execute(db)
}

/** Makes the user a member; without a role of its own here the group's default holds, else the one in the account. */
export async function addGroupMember(db: Db, groupUuid: string, userUuid: string, roleUuid?: string): Promise<void> {
  await sql`
    insert into group_user (group_uuid, user_uuid, role_uuid)
    values (${groupUuid}, ${userUuid}, ${roleUuid ?? null})
    on conflict (group_uuid, user_uuid) do update
    set role_uuid = excluded.role_uuid
  `.execute(db)
}
