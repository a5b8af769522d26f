import { randomUUID } from 'node:crypto'
import type { Tx } from '../../db/database.ts'
import { disabledMail } from '../mail/mail-texts.ts'
import { insertMail, wipeSecretsFor } from '../mail/mail.sql.ts'
import { endSessionsOfUser } from '../session/end-sessions.sql.ts'
import { forgetDevices } from '../session/remembered-device.sql.ts'
import { useUpResetTokens } from './password-reset.sql.ts'

/** Signs a person out everywhere, keys of programs too, and ends every link that would let the person in. */
export async function endAccess(tx: Tx, userUuid: string): Promise<void> {
  await endSessionsOfUser(tx, userUuid)
  await forgetDevices(tx, userUuid)
  await useUpResetTokens(tx, userUuid)
  await wipeSecretsFor(tx, userUuid)
}

/** Tells somebody whom an administrator keeps out of an organisation. */
export function tellOfEnd(tx: Tx, accountUuid: string, recipient: string): Promise<void> {
  return insertMail(tx, { uuid: randomUUID(), accountUuid, recipient, ...disabledMail() })
}
