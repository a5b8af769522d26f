import type { userPasswordReset } from '@hilum/contract/calls/user'
import { digestOf } from '../../access/sid.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { perLostAddress } from '../session/attempt-rules.ts'
import { forgetAttempts, giveBackAttempt, mayAttempt } from '../session/attempt.sql.ts'
import { changePassword } from './change-password.command.ts'
import { lockPasswordHash } from './password.sql.ts'
import { lockResetToken, useUpResetTokens } from './password-reset.sql.ts'

export const passwordReset: Handler<typeof userPasswordReset> = async ({ services, input, origin, fail }) => {
  const byAddress = digestOf(origin.clientAddress)
  if (!(await mayAttempt(services.db, 'password-reset-address', byAddress, perLostAddress))) throw fail('LOCKOUT')
  await services.db.transaction().execute(async (tx) => {
    const found = await lockResetToken(tx, digestOf(input.token.trim()))
    if (!found) throw fail('INVALID_TOKEN')
    await lockPasswordHash(tx, found.user_uuid)
    if (!(await changePassword(tx, found.user_uuid, input.password))) throw fail('BAD_PASSWORD')
    await useUpResetTokens(tx, found.user_uuid)
    await forgetAttempts(tx, 'login', digestOf(found.user_uuid))
    await writeAudit(tx, {
      accountUuid: found.account_uuid,
      caller: undefined,
      action: 'PASSWORD_RESET',
      type: 'User',
      objectUuid: found.user_uuid,
      detail: { client_address: origin.clientAddress },
    })
  })
  await giveBackAttempt(services.db, 'password-reset-address', byAddress)
  return {}
}
