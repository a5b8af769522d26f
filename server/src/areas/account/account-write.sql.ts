import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

export async function addAccount(
  db: Db,
  account: { uuid: string; name: string; vanity: string; namespaceUuid: string; issuer: string; isDemo: boolean },
): Promise<void> {
  await sql`
    insert into account (uuid, name, vanity, namespace_uuid, issuer, is_demo)
    values (${account.uuid}, ${account.name}, ${account.vanity}, ${account.namespaceUuid}, ${account.issuer},
      ${account.isDemo})
  `.execute(db)
}

export async function addRole(
  db: Db,
  role: { uuid: string; accountUuid: string; name: string; type: string; permissions: readonly string[] },
): Promise<void> {
  await sql`
    insert into role (uuid, account_uuid, name, type, permissions)
    values (${role.uuid}, ${role.accountUuid}, ${role.name}, ${role.type}, ${[...role.permissions]})
  `.execute(db)
}

export async function updateDefaultRole(db: Db, accountUuid: string, roleUuid: string): Promise<void> {
  await sql`
    update account
    set default_role_uuid = ${roleUuid}
    where uuid = ${accountUuid}
  `.execute(db)
}

/** Lets the first start of several servers run one after the other; held until the transaction ends. */
export async function lockFirstStart(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('first start', 0))`.execute(db)
}

export async function hasAccounts(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists (select from account) as found`.execute(db)
  return rows[0]?.found ?? false
}
