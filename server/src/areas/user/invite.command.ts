import { randomBytes, randomUUID } from 'node:crypto'
import { invitationMinutes } from '@hilum/contract/limits'
import { digestOf } from '../../access/sid.ts'
import type { Tx } from '../../db/database.ts'
import type { Services } from '../../services.ts'
import type { Origin } from '../handler.ts'
import { insertSecretMail, wipeSecretsFor } from '../mail/mail.sql.ts'
import { invitationMail } from '../mail/mail-texts.ts'
import { resetAddress } from '../mail/public-address.ts'
import { addResetToken, useUpResetTokens } from './password-reset.sql.ts'

/** Mails a person a link to choose a password; links made before end. */
export async function invite(
  tx: Tx,
  { services, origin }: { services: Pick<Services, 'config' | 'sealer'>; origin: Origin },
  person: { userUuid: string; email: string; accountUuid: string },
): Promise<void> {
  const { userUuid, email, accountUuid } = person
  await useUpResetTokens(tx, userUuid)
  await wipeSecretsFor(tx, userUuid)
  const token = randomBytes(32).toString('base64url')
  await addResetToken(tx, { uuid: userUuid, email }, digestOf(token), invitationMinutes)
  const uuid = randomUUID()
  await insertSecretMail(tx, {
    uuid,
    accountUuid,
    recipient: email,
    ...invitationMail(),
    sealedSecret: services.sealer.seal(resetAddress(services.config, origin, token), uuid),
    minutes: invitationMinutes,
  })
}
