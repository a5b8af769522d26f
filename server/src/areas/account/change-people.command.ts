import { ApiError } from '@hilum/contract/errors'
import type { Database, Tx } from '../../db/database.ts'
import { leftWithout, listAdministered, lockAccounts } from './member.sql.ts'

/**
 * Runs a change of the people of these accounts, after all others of the same accounts. A change that would leave an
 * account without an administrator is undone; somebody who was invited and never signed in counts only where nobody
 * else is there.
 * @param refusal instead of NOT_PERMITTED with LAST_ADMINISTRATOR
 */
export function changePeople<Result>(
  db: Database,
  accountUuids: readonly string[],
  change: (tx: Tx) => Promise<Result>,
  refusal: ApiError = new ApiError('NOT_PERMITTED', { subtype: 'LAST_ADMINISTRATOR' }),
): Promise<Result> {
  return db.transaction().execute(async (tx) => {
    await lockAccounts(tx, accountUuids)
    const before = await listAdministered(tx, accountUuids)
    const result = await change(tx)
    if (leftWithout(before, await listAdministered(tx, accountUuids)).length > 0) throw refusal
    return result
  })
}
