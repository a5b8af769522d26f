import { randomUUID } from 'node:crypto'
import type { Tx } from '../../db/database.ts'
import type { Sealer } from '../../sealer.ts'
import { linkMailText, linkReminderMail, requestMail } from '../mail/link-mail-texts.ts'
import type { MailText } from '../mail/mail-label.ts'
import { insertSecretMail } from '../mail/mail.sql.ts'
import { setLinkMail } from './link.sql.ts'

/** A link whose address is to be mailed. */
interface MailedLink {
  uuid: string
  url: string
  accountUuid: string
  email: string
  /** Until the link ends, when nobody needs its address any more. */
  minutes: number
  asksBirthDate: boolean
  asksPassword: boolean
  /** The link asks for studies. */
  isRequest?: boolean
  /** The mail reminds of the end of the link. */
  isReminder?: boolean
}

/** Puts the mail with the address of a link into the outbox, and notes it with the link. The mail names nobody. */
export async function mailLink(tx: Tx, sealer: Sealer, link: MailedLink): Promise<void> {
  const uuid = randomUUID()
  await insertSecretMail(tx, {
    uuid,
    accountUuid: link.accountUuid,
    recipient: link.email,
    ...textOf(link),
    sealedSecret: sealer.seal(link.url, uuid),
    minutes: link.minutes,
  })
  await setLinkMail(tx, link.uuid, uuid)
}

function textOf({ isRequest = false, isReminder, asksBirthDate, asksPassword }: MailedLink): MailText {
  const factor = asksBirthDate ? 'birthDate' : asksPassword ? 'password' : 'none'
  if (isReminder) return linkReminderMail(isRequest, factor)
  return isRequest ? requestMail(asksPassword) : linkMailText(factor)
}
