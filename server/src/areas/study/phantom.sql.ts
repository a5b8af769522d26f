import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'

/** Deletes announced records whose time is over and that hold nothing to lose, and says which they were. */
export async function deleteExpiredPhantoms(
  tx: Tx,
): Promise<{ phi_namespace: string; uuid: string; account_uuid: string }[]> {
  const { rows } = await sql<{ phi_namespace: string; uuid: string; account_uuid: string }>`
    with gone as (
      delete from study
      where arrival = 'announced' and phantom_until < now() and attachment_count = 0 and not hold
      returning phi_namespace, uuid, account_uuid
    ), sources as (
      delete from study_source o
      using gone g
      where o.phi_namespace = g.phi_namespace and o.study_uuid = g.uuid
    )
    select phi_namespace, uuid, account_uuid
    from gone
  `.execute(tx)
  return rows
}
