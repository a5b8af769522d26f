import { randomUUID } from 'node:crypto'
import type { Tx } from '../../db/database.ts'
import type { Sealer } from '../../sealer.ts'
import { linkMailText, requestMail } from '../mail/mail-texts.ts'
import { insertSecretMail } from '../mail/mail.sql.ts'

/** A link whose address is to be mailed. */
interface MailedLink {
  url: string
  accountUuid: string
  email: string
  /** Until the link ends, when nobody needs its address any more. */
  minutes: number
  asksBirthDate: boolean
  asksPassword: boolean
  /** The link asks for studies. */
  isRequest?: boolean
}

/**
 * Puts the mail with the address of a link into the outbox. The mail names nobody.
 * @returns the uuid of the mail
 */
export async function mailLink(tx: Tx, sealer: Sealer, link: MailedLink): Promise<string> {
  const uuid = randomUUID()
  await insertSecretMail(tx, {
    uuid,
    accountUuid: link.accountUuid,
    recipient: link.email,
    ...(link.isRequest
      ? requestMail(link.asksPassword)
      : linkMailText(link.asksBirthDate ? 'birthDate' : link.asksPassword ? 'password' : 'none')),
    sealedSecret: sealer.seal(link.url, uuid),
    minutes: link.minutes,
  })
  return uuid
}
