import type { Database } from '../../db/database.ts'
import { writeAudit } from './audit.sql.ts'
import { eraseAuditDetails, erasureAction } from './erase.sql.ts'

/**
 * Erases the details of audit rows where law asks for it: that something happened, when and by whom stays, and stays
 * sealed. Each account gets a row that says which were erased and why. Gives how many were.
 */
export async function eraseDetails(db: Database, ids: readonly number[], reason: string): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const erased = await eraseAuditDetails(tx, ids)
    for (const [accountUuid, rows] of Map.groupBy(erased, (row) => row.account_uuid)) {
      await writeAudit(tx, {
        accountUuid,
        caller: undefined,
        action: erasureAction,
        type: 'Audit',
        detail: { audit_ids: rows.map((row) => row.id).toSorted((one, other) => one - other), reason },
      })
    }
    return erased.length
  })
}
