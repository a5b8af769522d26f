import { randomUUID } from 'node:crypto'
import type { Tx } from '../../db/database.ts'
import type { Sealer } from '../../sealer.ts'
import { linkMailText, linkReminderMail, requestMail } from '../mail/link-mail-texts.ts'
import type { MailText } from '../mail/mail-label.ts'
import { insertSecretMail } from '../mail/mail.sql.ts'
import type { LinkRow } from './link-list.sql.ts'
import { linkAddress } from './link.presenter.ts'
import { setLinkMail } from './link.sql.ts'
import { notePatientsOfLink } from './sent-link.sql.ts'

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
  /** The mail was asked for before, when its exams may have been of other patients. */
  isLater?: boolean
}

/**
 * Puts the mail with the address of a link into the outbox, and notes it with the link, unless it is a reminder, which leaves
 * what became of the sending as it was. The mail names nobody.
 * @returns the uuid of the mail
 */
export async function mailLink(tx: Tx, sealer: Sealer, link: MailedLink): Promise<string> {
  const { isReminder = false, isLater = false } = link
  const uuid = randomUUID()
  await insertSecretMail(tx, {
    uuid,
    accountUuid: link.accountUuid,
    recipient: link.email,
    ...textOf(link),
    sealedSecret: sealer.seal(link.url, uuid),
    minutes: link.minutes,
    linkUuid: link.uuid,
    isReminder,
  })
  if (isReminder) return uuid
  if (!isLater) await notePatientsOfLink(tx, link.uuid)
  await setLinkMail(tx, link.uuid, uuid)
  return uuid
}

/**
 * Mails the address of a link of a list again. False where nobody knows its secret any more.
 * @param to the account and the address of the web app, and whom to mail; `isLater` where nobody looked at the exams anew
 */
export async function mailLinkAgain(
  tx: Tx,
  sealer: Sealer,
  row: LinkRow,
  to: { accountUuid: string; address: string; email: string; isLater?: boolean },
): Promise<boolean> {
  const secret = row.sealed_secret ? sealer.open(row.sealed_secret, row.uuid) : undefined
  if (!secret) return false
  await mailLink(tx, sealer, {
    uuid: row.uuid,
    accountUuid: to.accountUuid,
    isRequest: row.action === 'STUDY_UPLOAD',
    email: to.email,
    url: linkAddress(to.address, secret),
    minutes: Math.max(1, Math.ceil((Date.parse(`${row.expires_at.replace(' ', 'T')}:00`) - Date.now()) / 60_000)),
    asksBirthDate: row.password_is_dob,
    asksPassword: row.has_password,
    isLater: to.isLater ?? false,
  })
  return true
}

function textOf({ isRequest = false, isReminder, asksBirthDate, asksPassword }: MailedLink): MailText {
  const factor = asksBirthDate ? 'birthDate' : asksPassword ? 'password' : 'none'
  if (isReminder) return linkReminderMail(isRequest, factor)
  return isRequest ? requestMail(asksPassword) : linkMailText(factor)
}
