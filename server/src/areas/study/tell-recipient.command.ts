import { randomUUID } from 'node:crypto'
import type { Tx } from '../../db/database.ts'
import { sharedMail } from '../mail/mail-texts.ts'
import { insertMail } from '../mail/mail.sql.ts'
import { findChoice, listChoosers } from '../user/event-choice.sql.ts'
import { isMailedAtFirst } from '../user/event.policy.ts'
import type { Recipient } from './share-recipient.sql.ts'

/**
 * Mails a person that something was shared with them, unless they chose otherwise or did it themselves; of a group those
 * members who chose to be told. Nobody is told of what waits for approval. Part of the delivery: no mail leaves of what
 * was not delivered.
 * @param address of the web app, where the mail leads
 */
export async function tellRecipient(tx: Tx, to: Recipient, byUser: string, address: string): Promise<void> {
  if (to.must_approve) return
  for (const recipient of await addressesOf(tx, to, byUser)) {
    const mail = { uuid: randomUUID(), accountUuid: to.account_uuid, recipient }
    await insertMail(tx, { ...mail, ...sharedMail(address, to.kind) })
  }
}

async function addressesOf(tx: Tx, to: Recipient, byUser: string): Promise<string[]> {
  if (to.kind === 'group') return listChoosers(tx, to, 'event_share', byUser)
  if (to.uuid === byUser) return []
  const chosen = await findChoice(tx, to.uuid, to.namespace_uuid, 'event_share')
  return (chosen ?? isMailedAtFirst(to)) ? [to.user_email] : []
}
