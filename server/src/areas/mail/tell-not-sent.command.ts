import { randomUUID } from 'node:crypto'
import type { Tx } from '../../db/database.ts'
import { notSentMail } from './mail-texts.ts'
import { findAddressOfUser, insertMail } from './mail.sql.ts'

/** Tells whoever wanted to send an exam later that it did not leave. */
export async function tellNotSent(tx: Tx, accountUuid: string, userUuid: string): Promise<void> {
  const recipient = await findAddressOfUser(tx, userUuid)
  if (recipient) await insertMail(tx, { uuid: randomUUID(), accountUuid, recipient, ...notSentMail() })
}
