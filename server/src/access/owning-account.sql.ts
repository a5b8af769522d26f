import type { OwnedByAccount } from '@hilum/contract/call'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** The account that a thing belongs to, or undefined when there is none of this uuid. */
export async function findOwningAccount(db: Db, kind: OwnedByAccount, uuid: string): Promise<string | undefined> {
  const { rows } = await sql<{ account_uuid: string }>`
    select t.account_uuid
    from ${sql.table(kind)} t
    where ${kind === 'namespace' ? sql`${uuid} in (t.uuid, t.owner_uuid) and t.kind <> 'user'` : sql`t.uuid = ${uuid}`}
  `.execute(db)
  return rows[0]?.account_uuid
}
