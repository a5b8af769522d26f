import { type accountConnectDefaults, shareExpiresSetting } from '@hilum/contract/calls/account-connect'
import { maxShareMinutes } from '@hilum/contract/limits'
import { digestOf } from '../../access/sid.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { CallRequest, Handler } from '../handler.ts'
import { perShareChange } from '../session/attempt-rules.ts'
import { mayAttempt } from '../session/attempt.sql.ts'
import { findSetting, putSetting } from '../setting/setting.sql.ts'
import { findProfileFault } from '../user/profile.policy.ts'
import { isShareCodeTaken } from '../user/user.sql.ts'
import { findAccountShareCode, putAccountShareCode } from './connection.sql.ts'

type Request = CallRequest<typeof accountConnectDefaults>

export const connectDefaults: Handler<typeof accountConnectDefaults> = async (request) => {
  const { services, input, caller, on, fail } = request
  const { expires } = input
  const shareCode = input.share_code?.trim()
  if (expires !== undefined && (expires < 0 || expires > maxShareMinutes))
    throw fail('INVALID_FIELD', { subtype: 'expires' })
  if (shareCode) await demandCodeChange(request, shareCode)
  await services.db.transaction().execute(async (tx) => {
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
  const kept = await findSetting(services.db, 'account', on.ownerUuid, shareExpiresSetting)
  return { expires: Number(kept ?? 0), share_code: await findAccountShareCode(services.db, on.ownerUuid) }
}

/** Counted before it is tried, so that the codes of others cannot be found by trying many. The present one is no try. */
async function demandCodeChange({ services, caller, on, fail }: Request, shareCode: string): Promise<void> {
  if (findProfileFault({ share_code: shareCode })) throw fail('INVALID_FIELD', { subtype: 'share_code' })
  const kept = await findAccountShareCode(services.db, on.ownerUuid)
  if (kept.toLowerCase() === shareCode.toLowerCase()) return
  const isOpen = await mayAttempt(services.db, 'share-code-change', digestOf(caller.userUuid), perShareChange)
  if (!isOpen) throw fail('LOCKOUT', { subtype: 'share_code' })
}
