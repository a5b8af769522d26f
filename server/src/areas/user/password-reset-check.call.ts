import type { userPasswordResetCheck } from '@hilum/contract/calls/user'
import { addressKey } from '../../access/address-key.ts'
import { digestOf } from '../../access/sid.ts'
import type { Handler } from '../handler.ts'
import { perLostAddress } from '../session/attempt-rules.ts'
import { giveBackAttempt, mayAttempt } from '../session/attempt.sql.ts'
import { findResetToken } from './password-reset.sql.ts'

/** Says no more than a reset with the same token would, and is counted with the resets: wrong ones share one limit. */
export const passwordResetCheck: Handler<typeof userPasswordResetCheck> = async ({ services, input, origin, fail }) => {
  const byAddress = digestOf(addressKey(origin.clientAddress))
  if (!(await mayAttempt(services.db, 'password-reset-address', byAddress, perLostAddress))) throw fail('LOCKOUT')
  if (!(await findResetToken(services.db, digestOf(input.token.trim())))) throw fail('INVALID_TOKEN')
  await giveBackAttempt(services.db, 'password-reset-address', byAddress)
  return {}
}
