import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** The accounts that a person belongs to, also those in which the person is disabled. */
export async function listAccountsOfPerson(db: Db, userUuid: string): Promise<string[]> {
  const { rows } = await sql<{ account_uuid: string }>`
    select au.account_uuid
    from account_user au
    where au.user_uuid = ${userUuid}
    order by au.account_uuid
  `.execute(db)
  return rows.map((row) => row.account_uuid)
}
