import type { Tx } from '../../db/database.ts'
import { type AuditEntry, writeStudyAudit } from '../audit/audit.sql.ts'
import { takeExamsOfPlaces } from './take-along.sql.ts'

/**
 * Deleted exams go along with the personal places of people that went to another account: who restores one has it there,
 * and whoever keeps and purges there sees it. On record in the account that they come to.
 */
export async function takeExamsAlong(
  tx: Tx,
  caller: AuditEntry['caller'],
  userUuids: readonly string[],
  now = new Date(),
): Promise<void> {
  for (const one of await takeExamsOfPlaces(tx, userUuids, now)) {
    const { retained_before: before, retained_after: after } = one
    await writeStudyAudit(tx, caller, one, 'EDIT', {
      account: [one.from_name, one.to_name],
      ...(one.named_issuer === null ? {} : { issuer: ['', one.named_issuer] }),
      ...(before === after
        ? {}
        : { retain_until: [before ?? '', after ?? ''], reason: `Rule of retention of ${one.from_name}` }),
    })
    if (one.hold_reason !== null) await writeStudyAudit(tx, caller, one, 'HOLD', { reason: one.hold_reason })
  }
}
