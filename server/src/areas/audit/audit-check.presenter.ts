import type { auditCheckGet } from '@hilum/contract/calls/audit'
import type { OutputOf } from '@hilum/contract/call'
import type { AuditCheckRow } from './audit-check.sql.ts'

/** The latest check of an account, or that there was none. */
export function presentCheck(row: AuditCheckRow | undefined): OutputOf<typeof auditCheckGet> {
  return {
    state: row?.state ?? 'none',
    who: row?.user_name ?? '',
    begun: row?.begun ?? '',
    ended: row?.ended ?? '',
    rows_done: row?.rows_done ?? 0,
    rows_total: row?.rows_total ?? 0,
    ...(row?.result ?? { rows: 0, unsealed: 0, fault_count: 0, faults: [], seal_number: 0, seal_digest: '' }),
  }
}
