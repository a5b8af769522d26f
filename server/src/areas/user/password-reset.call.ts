import type { userPasswordReset } from '@hilum/contract/calls/user'
import { addressKey } from '../../access/address-key.ts'
import { foldLogin } from '@hilum/contract/fold-login'
import { digestOf } from '../../access/sid.ts'
import { writeAudit } from '../audit/audit.sql.ts'
import type { Handler } from '../handler.ts'
import { wipeSecretsFor } from '../mail/mail.sql.ts'
import { perLostAddress } from '../session/attempt-rules.ts'
import { giveBackAttempt, mayAttempt } from '../session/attempt.sql.ts'
import { forgetFailures } from '../session/sign-in-attempt.command.ts'
import { changePassword } from './change-password.command.ts'
import { lockPasswordHash } from './password.sql.ts'
import { lockResetToken, useUpResetTokens } from './password-reset.sql.ts'
import { noteAddressProven } from './user-write.sql.ts'

export const passwordReset: Handler<typeof userPasswordReset> = async ({ services, input, origin, fail }) => {
  const byAddress = digestOf(addressKey(origin.clientAddress))
  if (!(await mayAttempt(services.db, 'password-reset-address', byAddress, perLostAddress))) throw fail('LOCKOUT')
  await services.db.transaction().execute(async (tx) => {
    const found = await lockResetToken(tx, digestOf(input.token.trim()))
    if (!found) throw fail('INVALID_TOKEN')
    await lockPasswordHash(tx, found.user_uuid)
    const fault = await changePassword(tx, found.user_uuid, input.password)
    if (fault) throw fail('BAD_PASSWORD', { subtype: fault })
    await useUpResetTokens(tx, found.user_uuid)
    await noteAddressProven(tx, found.user_uuid, found.mailed_to)
    await wipeSecretsFor(tx, found.user_uuid)
    await forgetFailures(tx, { userUuid: found.user_uuid, login: foldLogin(found.email) }, origin.clientAddress)
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
