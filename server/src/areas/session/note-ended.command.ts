import type { EndedBecause } from '@hilum/contract/ended-because'
import type { Tx } from '../../db/database.ts'
import { type AuditEntry, writeAudit } from '../audit/audit.sql.ts'
import type { EndedSessions } from './ended-sign-in.sql.ts'

interface By {
  accountUuid: string
  /** Without one a provider's word did it. */
  caller: AuditEntry['caller']
  because: EndedBecause
}

/** Puts on record whose sessions an account ended by a change of how its people sign in: one row for each person. */
export async function noteEndedSessions(
  tx: Tx,
  { accountUuid, caller, because }: By,
  ended: readonly EndedSessions[],
): Promise<void> {
  for (const { user_uuid: userUuid, sessions } of ended)
    await writeAudit(tx, {
      accountUuid,
      caller,
      action: 'SESSIONS_ENDED',
      type: 'User',
      objectUuid: userUuid,
      detail: { sessions, because },
    })
}

/** As `noteEndedSessions`, of the keys of one person's programs: one row for each key. */
export async function noteEndedKeys(
  tx: Tx,
  { accountUuid, caller, because }: By,
  userUuid: string,
  keys: readonly { uuid: string; name: string }[],
): Promise<void> {
  for (const { uuid, name } of keys)
    await writeAudit(tx, {
      accountUuid,
      caller,
      action: 'KEY_END',
      type: 'Session',
      objectUuid: uuid,
      detail: { name, user_id: userUuid, because },
    })
}
