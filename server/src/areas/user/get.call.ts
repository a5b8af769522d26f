import { mayDo } from '@hilum/contract/acts'
import { userGet } from '@hilum/contract/calls/user'
import type { Handler } from '../handler.ts'
import { presentUser } from './user.presenter.ts'
import { belongsToAccount, findUser } from './user.sql.ts'

export const get: Handler<typeof userGet> = async ({ services, input, caller, fail }) => {
  const userUuid = input.uuid ?? caller.userUuid
  const account = (await caller.memberships()).find(
    (one) => one.kind === 'account' && one.ownerUuid === input.account_id,
  )
  if (input.account_id && !account) throw fail('NOT_FOUND')
  if (userUuid !== caller.userUuid) {
    if (!input.account_id || !account) throw fail('MISSING_FIELDS', { subtype: ['account_id'] })
    if (!mayDo(userGet.asks['another person'], account)) throw fail('NOT_PERMITTED')
    if (!(await belongsToAccount(services.db, userUuid, input.account_id))) throw fail('NOT_FOUND')
  }
  const row = await findUser(services.db, userUuid)
  if (!row) throw fail('NOT_FOUND')
  return presentUser(row)
}
