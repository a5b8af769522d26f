import { ApiError } from '@hilum/contract/errors'
import type { Caller } from '../../access/caller.ts'
import { digestOf } from '../../access/sid.ts'
import type { Services } from '../../services.ts'
import { perShareChange } from '../session/attempt-rules.ts'
import { mayAttempt } from '../session/attempt.sql.ts'
import { findProfileFault } from '../user/profile.policy.ts'
import { findAccountShareCode } from './connection.sql.ts'

/**
 * Counts a change of an account's share code before it is tried, so that the codes of others cannot be found by trying
 * many. The present code is no try.
 * @throws ApiError INVALID_FIELD, LOCKOUT
 */
export async function demandCodeChange(
  { services, caller, on }: { services: Services; caller: Caller; on: { ownerUuid: string } },
  shareCode: string,
): Promise<void> {
  if (findProfileFault({ share_code: shareCode })) throw new ApiError('INVALID_FIELD', { subtype: 'share_code' })
  const stored = await findAccountShareCode(services.db, on.ownerUuid)
  if (stored.toLowerCase() === shareCode.toLowerCase()) return
  const isOpen = await mayAttempt(services.db, 'share-code-change', digestOf(caller.userUuid), perShareChange)
  if (!isOpen) throw new ApiError('LOCKOUT', { subtype: 'share_code' })
}
