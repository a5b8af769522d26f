import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

export interface StoredRole {
  uuid: string
  name: string
  description: string
  for_account: boolean
  for_group: boolean
  for_location: boolean
  permissions: readonly string[]
}

export async function updateRole(db: Db, role: StoredRole): Promise<void> {
  await sql`
    update role
    set name = ${role.name}, description = ${role.description}, for_account = ${role.for_account},
      for_group = ${role.for_group}, for_location = ${role.for_location}, permissions = ${[...role.permissions]}
    where uuid = ${role.uuid}
  `.execute(db)
}

/** Removes a role with its settings and the saved searches' shares with it. */
export async function deleteRole(db: Db, roleUuid: string): Promise<void> {
  await sql`delete from setting where scope = 'role' and scope_uuid = ${roleUuid}`.execute(db)
  await sql`delete from saved_search_share where kind = 'role' and target_uuid = ${roleUuid}`.execute(db)
  await sql`delete from role where uuid = ${roleUuid}`.execute(db)
}
