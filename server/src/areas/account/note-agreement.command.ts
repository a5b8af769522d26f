import { agreedTextKinds } from '@hilum/contract/calls/account-text'
import type { Caller } from '../../access/caller.ts'
import type { Tx } from '../../db/database.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { listAccountsToAgreeIn } from './account-text.sql.ts'

/** Puts on record that a person agrees to texts in force, in the accounts that have them, before the MD5s are kept. */
export async function noteAgreement(
  tx: Tx,
  caller: Caller,
  agreed: { terms_md5?: string | undefined; privacy_md5?: string | undefined },
): Promise<void> {
  for (const kind of agreedTextKinds) {
    const md5 = agreed[`${kind}_md5`]
    if (!md5) continue
    for (const accountUuid of await listAccountsToAgreeIn(tx, caller.userUuid, kind, md5)) {
      await writeAudit(tx, {
        accountUuid,
        caller,
        action: 'TEXT_AGREED',
        type: 'User',
        objectUuid: caller.userUuid,
        detail: { [`${kind}_md5`]: md5 },
      })
    }
  }
}
