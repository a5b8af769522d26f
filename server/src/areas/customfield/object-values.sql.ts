import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** An account, one of its groups or locations, or one of its people, whose row holds values of custom fields. */
export type FieldOwner =
  | { object: 'Account'; accountUuid: string }
  | { object: 'Group' | 'Location'; accountUuid: string; groupUuid: string }
  | { object: 'User_account'; accountUuid: string; userUuid: string }

/** Values by the uuid of the field; nobody else changes them until the transaction ends. */
export async function lockFieldValues(tx: Tx, owner: FieldOwner): Promise<Record<string, string>> {
  const { table, where } = rowOf(owner)
  const { rows } = await sql<{ customfields: Record<string, string> }>`
    select customfields
    from ${table}
    where ${where}
    for no key update
  `.execute(tx)
  return rows[0]?.customfields ?? {}
}

export async function saveFieldValues(tx: Tx, owner: FieldOwner, values: Record<string, string>): Promise<void> {
  const { table, where } = rowOf(owner)
  await sql`
    update ${table}
    set customfields = ${JSON.stringify(values)}::jsonb
    where ${where}
  `.execute(tx)
}

function rowOf(owner: FieldOwner) {
  switch (owner.object) {
    case 'Account':
      return { table: sql.table('account'), where: sql`uuid = ${owner.accountUuid}` }
    case 'User_account':
      return {
        table: sql.table('account_user'),
        where: sql`account_uuid = ${owner.accountUuid} and user_uuid = ${owner.userUuid}`,
      }
    default:
      return { table: sql.table('app_group'), where: sql`uuid = ${owner.groupUuid}` }
  }
}
