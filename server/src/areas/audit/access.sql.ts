import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** Notes that a session did this with a study, or with the audit of an account; false when it had been noted before. */
export async function noteFirstAccess(
  tx: Tx,
  sessionUuid: string,
  action: string,
  objectUuid: string,
): Promise<boolean> {
  const { rows } = await sql`
    insert into audit_once (session_uuid, action, study_uuid)
    values (${sessionUuid}, ${action}, ${objectUuid})
    on conflict do nothing
    returning 1
  `.execute(tx)
  return rows.length > 0
}
