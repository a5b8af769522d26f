import { randomBytes, randomUUID } from 'node:crypto'
import type { userPasswordLost } from '@hilum/contract/calls/user'
import { passwordResetMinutes } from '@hilum/contract/limits'
import { digestOf } from '../../access/sid.ts'
import type { Handler } from '../handler.ts'
import { perLostAddress, perLostEmail } from '../session/attempt-rules.ts'
import { mayAttempt } from '../session/attempt.sql.ts'
import { publicAddress } from '../mail/public-address.ts'
import { resetMail } from '../mail/mail-texts.ts'
import { askForReset } from './password-reset.sql.ts'

/** Answers alike, and takes the same, whether or not somebody has this e-mail address. */
export const passwordLost: Handler<typeof userPasswordLost> = async ({ services, input, origin, fail }) => {
  const email = input.email.trim()
  const { db } = services
  const mayAsk =
    (await mayAttempt(db, 'password-lost-address', digestOf(origin.clientAddress), perLostAddress)) &&
    (await mayAttempt(db, 'password-lost', digestOf(email.toLowerCase()), perLostEmail))
  if (!mayAsk) throw fail('LOCKOUT')
  const token = randomBytes(32).toString('base64url')
  const mail = resetMail(`${publicAddress(services.config, origin)}/reset-password/${token}`)
  await askForReset(db, {
    email,
    tokenDigest: digestOf(token),
    minutes: passwordResetMinutes,
    mailUuid: randomUUID(),
    subject: mail.subject,
    body: mail.body,
    clientAddress: origin.clientAddress,
  })
  return {}
}
