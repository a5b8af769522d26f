import { randomUUID } from 'node:crypto'
import type { Tx } from '../../db/database.ts'
import type { MailText } from '../mail/mail-label.ts'
import { insertMail } from '../mail/mail.sql.ts'
import { findChoice, listChoosers } from '../user/event-choice.sql.ts'
import { isMailedAtFirst } from '../user/event.policy.ts'
import type { Recipient } from './share-recipient.sql.ts'

/**
 * Mails a person that something was shared with them, or taken back, unless they chose otherwise or did it themselves; of
 * a group or an account those members who chose to be told. Part of the act itself: no mail leaves of what nobody sees.
 * @param shareUuid the share that gives what the mail is of: the mail leaves while it lasts
 */
export async function tellRecipient(
  tx: Tx,
  to: Recipient,
  byUser: string,
  text: MailText,
  shareUuid?: string,
): Promise<void> {
  for (const recipient of await addressesOf(tx, to, byUser)) {
    const mail = { uuid: randomUUID(), accountUuid: to.account_uuid, recipient, shareUuid }
    await insertMail(tx, { ...mail, ...text })
  }
}

async function addressesOf(tx: Tx, to: Recipient, byUser: string): Promise<string[]> {
  if (to.kind !== 'user') return listChoosers(tx, to, 'event_share', byUser)
  if (to.uuid === byUser) return []
  const chosen = await findChoice(tx, to.uuid, to.namespace_uuid, 'event_share')
  return (chosen ?? isMailedAtFirst(to)) ? [to.user_email] : []
}
