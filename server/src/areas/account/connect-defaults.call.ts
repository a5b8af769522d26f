import { type accountConnectDefaults, shareExpiresSetting } from '@hilum/contract/calls/account-connect'
import { maxShareMinutes } from '@hilum/contract/limits'
import type { Db } from '../../db/database.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import { demandUnchanged } from '../demand-unchanged.ts'
import type { Handler } from '../handler.ts'
import { findSetting, putSetting } from '../setting/setting.sql.ts'
import { isShareCodeTaken } from '../user/user.sql.ts'
import { lockIdentity } from './account-security.sql.ts'
import { findAccountShareCode, putAccountShareCode } from './connection.sql.ts'
import { demandCodeChange } from './demand-code-change.ts'

export const connectDefaults: Handler<typeof accountConnectDefaults> = async (request) => {
  const { services, input, caller, on, fail } = request
  const { expires } = input
  const shareCode = input.share_code?.trim()
  if (expires !== undefined && (expires < 0 || expires > maxShareMinutes))
    throw fail('INVALID_FIELD', { subtype: 'expires' })
  if (shareCode) await demandCodeChange(request, shareCode)
  const isRead = expires === undefined && shareCode === undefined && !input.seen
  // a page that is looked at waits for nobody who changes something of the account
  if (isRead) return readDefaults(services.db, on.ownerUuid)
  await services.db.transaction().execute(async (tx) => {
    await lockIdentity(tx, on.ownerUuid)
    if (input.seen) demandUnchanged(input.seen, await readDefaults(tx, on.ownerUuid))
    if (expires === undefined && shareCode === undefined) return
    if (shareCode && (await isShareCodeTaken(tx, shareCode, on.ownerUuid)))
      throw fail('INVALID_FIELD', { subtype: 'share_code' })
    if (shareCode !== undefined) await putAccountShareCode(tx, on.ownerUuid, shareCode)
    if (expires !== undefined) await putSetting(tx, 'account', on.ownerUuid, shareExpiresSetting, String(expires))
    await writeAudit(tx, {
      accountUuid: on.ownerUuid,
      caller,
      action: 'EDIT',
      type: 'Account',
      objectUuid: on.ownerUuid,
      detail: {
        ...(expires === undefined ? {} : { [shareExpiresSetting]: expires }),
        ...(shareCode === undefined ? {} : { share_code: shareCode === '' ? 'removed' : 'changed' }),
      },
    })
  })
  return readDefaults(services.db, on.ownerUuid)
}

async function readDefaults(db: Db, accountUuid: string): Promise<{ expires: number; share_code: string }> {
  const stored = await findSetting(db, 'account', accountUuid, shareExpiresSetting)
  return { expires: Number(stored ?? 0), share_code: await findAccountShareCode(db, accountUuid) }
}
