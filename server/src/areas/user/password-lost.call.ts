import { randomBytes, randomUUID } from 'node:crypto'
import type { userPasswordLost } from '@hilum/contract/calls/user'
import { passwordResetMinutes } from '@hilum/contract/limits'
import { addressKey } from '../../access/address-key.ts'
import { foldLogin } from '@hilum/contract/fold-login'
import { digestOf } from '../../access/sid.ts'
import type { Handler } from '../handler.ts'
import { perLostAddress, perLostEmail, perLostPerson } from '../session/attempt-rules.ts'
import { mayAttempt } from '../session/attempt.sql.ts'
import { resetAddress } from '../mail/public-address.ts'
import { resetMail } from '../mail/mail-texts.ts'
import { askForReset } from './password-reset.sql.ts'

/** Answers alike, and takes the same, whether or not somebody has this e-mail address. */
export const passwordLost: Handler<typeof userPasswordLost> = async ({ services, input, origin, fail }) => {
  const email = foldLogin(input.email)
  const byAddress = addressKey(origin.clientAddress)
  const { db } = services
  const answer = { has_smtp: services.config.smtpUrl ? 1 : 0 }
  const mayAsk =
    (await mayAttempt(db, 'password-lost-address', digestOf(byAddress), perLostAddress)) &&
    (await mayAttempt(db, 'password-lost', digestOf(`${email} ${byAddress}`), perLostEmail))
  if (!mayAsk) throw fail('LOCKOUT')
  if (!(await mayAttempt(db, 'password-lost-person', digestOf(email), perLostPerson))) return answer
  const token = randomBytes(32).toString('base64url')
  const mailUuid = randomUUID()
  await askForReset(db, {
    email,
    tokenDigest: digestOf(token),
    minutes: passwordResetMinutes,
    mailUuid,
    ...resetMail(),
    sealedSecret: services.sealer.seal(resetAddress(services.config, origin, token), mailUuid),
    clientAddress: origin.clientAddress,
  })
  return answer
}
