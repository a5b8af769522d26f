import { mayDo } from '@hilum/contract/acts'
import type { accountList } from '@hilum/contract/calls/account'
import { listDefinitions } from '../customfield/customfield.sql.ts'
import { customFieldColumns, customFieldSorts } from '../customfield/field-columns.sql.ts'
import type { Handler } from '../handler.ts'
import { toPage } from '../list-page.ts'
import { listSql } from '../list-page.sql.ts'
import { listSettingsOf } from '../setting/setting.sql.ts'
import { chooseSettings, presentAccount } from './account.presenter.ts'
import { accountColumns, accountOrder, fieldsOfAccount, listAccountsOf } from './account.sql.ts'

export const list: Handler<typeof accountList> = async ({ services, input, list, caller }) => {
  const memberships = await caller.memberships()
  const reached = memberships.flatMap((one) => (one.kind === 'account' ? [one.ownerUuid] : []))
  // a supporter reaches one of the person's accounts alone
  const only = caller.proxy && reached
  const asked = await listDefinitions(services.db, reached, 'Account')
  const sqlOfList = listSql(
    list,
    { ...accountColumns, ...customFieldColumns(asked, fieldsOfAccount) },
    caller.timeZone,
    accountOrder,
    { ...accountColumns, ...customFieldSorts(asked, fieldsOfAccount) },
  )
  const { rows, page } = toPage(await listAccountsOf(services.db, caller.userUuid, sqlOfList, only), list)
  const uuids = rows.map((row) => row.uuid)
  const settings = await listSettingsOf(services.db, 'account', uuids)
  const definitions = await listDefinitions(services.db, uuids, 'Account')
  const accounts = rows.map((row) => {
    const membership = memberships.find((one) => one.kind === 'account' && one.ownerUuid === row.uuid)
    const held = input.permissions === 1 ? membership?.permissions : undefined
    const seesCode = membership ? mayDo('administerAccount', membership) : false
    const fields = definitions.filter((one) => one.account_uuid === row.uuid)
    return presentAccount(row, chooseSettings(settings.get(row.uuid) ?? {}, ''), fields, held, seesCode)
  })
  return { accounts, page }
}
