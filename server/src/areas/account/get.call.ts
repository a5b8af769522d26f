import { mayDo } from '@hilum/contract/acts'
import type { accountGet } from '@hilum/contract/calls/account'
import { listDefinitions } from '../customfield/customfield.sql.ts'
import type { Handler } from '../handler.ts'
import { listSettings } from '../setting/setting.sql.ts'
import { chooseSettings, presentAccount } from './account.presenter.ts'
import { findAccountOf } from './account.sql.ts'

export const get: Handler<typeof accountGet> = async ({ services, input, caller, on, fail }) => {
  const row = await findAccountOf(services.db, caller.userUuid, on.ownerUuid)
  if (!row) throw fail('NOT_FOUND')
  const settings = await listSettings(services.db, 'account', row.uuid)
  return presentAccount(
    row,
    chooseSettings(settings, input.brand_settings ?? ''),
    await listDefinitions(services.db, [row.uuid], 'Account'),
    input.permissions === 1 ? on.permissions : undefined,
    mayDo('administerAccount', on),
  )
}
