import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export async function findGroupNamespace(
  db: Db,
  groupUuid: string,
  kind: 'group' | 'location',
): Promise<{ account_uuid: string; namespace_uuid: string } | undefined> {
  const { rows } = await sql<{ account_uuid: string; namespace_uuid: string }>`
    select g.account_uuid, g.namespace_uuid
    from app_group g
    where g.uuid = ${groupUuid} and g.kind = ${kind}
  `.execute(db)
  return rows[0]
}
