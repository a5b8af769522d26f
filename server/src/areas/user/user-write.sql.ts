import { sql } from 'kysely'
import { foldLogin } from '@hilum/contract/fold-login'
import type { Db } from '../../db/database.ts'

export async function addUser(
  db: Db,
  user: { uuid: string; email: string; first: string; last: string; passwordHash: string; namespaceUuid: string },
): Promise<void> {
  await sql`
    insert into app_user (uuid, email, email_folded, first_name, last_name, password_hash, namespace_uuid)
    values (${user.uuid}, ${user.email}, ${foldLogin(user.email)}, ${user.first}, ${user.last}, ${user.passwordHash},
      ${user.namespaceUuid})
  `.execute(db)
}

export async function addAccountUser(
  db: Db,
  member: { accountUuid: string; userUuid: string; roleUuid: string; login: string },
): Promise<void> {
  await sql`
    insert into account_user (account_uuid, user_uuid, role_uuid, account_login, login_folded)
    values (${member.accountUuid}, ${member.userUuid}, ${member.roleUuid}, ${member.login}, ${foldLogin(member.login)})
  `.execute(db)
}
