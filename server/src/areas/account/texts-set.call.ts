import { createHash } from 'node:crypto'
import { type accountTextsSet, maxAgreedText } from '@hilum/contract/calls/account-text'
import { writeAudit } from '../audit/audit.sql.ts'
import { demandUnchanged } from '../demand-unchanged.ts'
import type { Handler } from '../handler.ts'
import { deleteSetting, putSetting } from '../setting/setting.sql.ts'
import { addText, lockText } from './account-text.sql.ts'

export const setText: Handler<typeof accountTextsSet> = async ({ services, input, caller, on, fail }) => {
  const { ownerUuid: accountUuid } = on
  const { kind } = input
  const text = input.text.replaceAll(/\r\n?/g, '\n').trim().normalize('NFC')
  const isText = text.length <= maxAgreedText && !/[^\P{Cc}\n\t]/u.test(text)
  if (!isText) throw fail('INVALID_FIELD', { subtype: 'text' })
  const md5 = text && createHash('md5').update(text).digest('hex')
  const key = `${kind}_md5`
  await services.db.transaction().execute(async (tx) => {
    const before = await lockText(tx, accountUuid, kind)
    demandUnchanged(input.seen, { md5: before })
    if (before === md5) return
    await addText(tx, { accountUuid, kind, text, md5, byUser: caller.userUuid })
    if (md5) await putSetting(tx, 'account', accountUuid, key, md5)
    else await deleteSetting(tx, 'account', accountUuid, key)
    await writeAudit(tx, {
      accountUuid,
      caller,
      action: 'EDIT',
      type: 'Account',
      objectUuid: accountUuid,
      detail: { [key]: [before, md5] },
    })
  })
  return {}
}
