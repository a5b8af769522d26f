import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Whether a place is a gatekeeper group, however its configuration reads. */
export async function isGatekeeperGroup(db: Db, namespaceUuid: string): Promise<boolean> {
  const { rows } = await sql`
    select
    from app_group g
    where g.namespace_uuid = ${namespaceUuid} and g.designation = 'GATEKEEPER'
  `.execute(db)
  return rows.length > 0
}
