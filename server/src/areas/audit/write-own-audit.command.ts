import type { AuditAct } from '@hilum/contract/audit-acts'
import type { Caller } from '../../access/caller.ts'
import type { Db } from '../../db/database.ts'
import { writeAudit } from './audit.sql.ts'

/** Puts on record what people do with their own login, in the history of the first account that they belong to. */
export async function writeOwnAudit(
  db: Db,
  caller: Caller,
  action: AuditAct,
  detail: Record<string, unknown> = {},
): Promise<void> {
  const account = (await caller.memberships()).find((one) => one.kind === 'account')
  const accountUuid = account?.accountUuid ?? null
  await writeAudit(db, { accountUuid, caller, action, type: 'User', objectUuid: caller.userUuid, detail })
}
