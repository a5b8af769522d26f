import type { accountGet } from '@hilum/contract/calls/account'
import { sql } from 'kysely'
import type { Handler } from '../handler.ts'
import { listSettings } from '../setting/setting.sql.ts'
import { chooseSettings, presentAccount } from './account.presenter.ts'
import { accountOrder, listAccountsOf } from './account.sql.ts'

export const get: Handler<typeof accountGet> = async ({ services, input, caller, on, fail }) => {
  const only = { where: sql`a.uuid = ${on.ownerUuid}`, orderBy: accountOrder, limit: sql`1` }
  const [row] = await listAccountsOf(services.db, caller.userUuid, only)
  if (!row) throw fail('NOT_FOUND')
  const settings = await listSettings(services.db, 'account', row.uuid)
  return presentAccount(
    row,
    chooseSettings(settings, input.brand_settings ?? ''),
    input.permissions === 1 ? on.permissions : undefined,
  )
}
