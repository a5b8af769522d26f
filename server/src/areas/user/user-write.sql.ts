import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

export async function addUser(
  db: Db,
  user: { uuid: string; email: string; first: string; last: string; passwordHash: string; namespaceUuid: string },
): Promise<void> {
  await sql`
    insert into app_user (uuid, email, first_name, last_name, password_hash, namespace_uuid)
    values (${user.uuid}, ${user.email}, ${user.first}, ${user.last}, ${user.passwordHash}, ${user.namespaceUuid})
  `.execute(db)
}

export async function addAccountUser(
  db: Db,
  member: { accountUuid: string; userUuid: string; roleUuid: string; login: string },
): Promise<void> {
  await sql`
    insert into account_user (account_uuid, user_uuid, role_uuid, account_login)
    values (${member.accountUuid}, ${member.userUuid}, ${member.roleUuid}, ${member.login})
  `.execute(db)
}
