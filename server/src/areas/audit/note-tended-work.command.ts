import type { Caller } from '../../access/caller.ts'
import type { Tx } from '../../db/database.ts'
import { writeAudit } from './audit.sql.ts'
import type { WorkOwner } from '../job/work-list.sql.ts'

/** Puts on record who cancelled work or had it done once more, with the account that it belongs to, or else its person. */
export async function noteTendedWork(
  tx: Tx,
  caller: Caller,
  { job, account_uuid: accountUuid, user_uuid: userUuid }: WorkOwner,
  what: 'work_cancelled' | 'work_run_again',
): Promise<void> {
  const objectUuid = accountUuid ?? userUuid
  await writeAudit(tx, {
    accountUuid,
    caller,
    action: 'EDIT',
    type: accountUuid === null ? 'User' : 'Account',
    ...(objectUuid === null ? {} : { objectUuid }),
    detail: { [what]: job },
  })
}
