import type { Database } from '../../db/database.ts'
import { type MailSender, openSmtpSender } from '../../outbound/mail/smtp-sender.ts'
import type { Services } from '../../services.ts'
import { type DueMail, noteMailFailed, noteMailSent, takeDueMail } from './mail.sql.ts'

const mostAtOnce = 100
const longestReason = 500

/**
 * Sends the mails that are due. Without a mail server they stay where they are, for administrators to read. One that
 * fails keeps its reason and is tried again; once the server itself fails, the others wait for the next time.
 */
export async function sendWaitingMails(services: Pick<Services, 'config' | 'db' | 'log'>): Promise<void> {
  const { config, db, log } = services
  if (!config.smtpUrl) return
  let sender: MailSender | undefined
  try {
    for (let sent = 0; sent < mostAtOnce; sent++) {
      const mail = await takeDueMail(db)
      if (!mail) return
      sender ??= openSmtpSender(config.smtpUrl, config.mailFrom)
      const failure = await send(db, sender, mail)
      if (failure === undefined) continue
      log.warn({ event: 'mail not sent', mail: mail.uuid, err: failure })
      if (isServerFailure(failure)) return
    }
  } finally {
    sender?.close()
  }
}

/** @returns what went wrong, once it is noted with the mail */
async function send(db: Database, sender: MailSender, mail: DueMail): Promise<unknown> {
  try {
    await sender.send(mail)
  } catch (error) {
    await noteMailFailed(db, mail.uuid, reasonOf(error))
    return error
  }
  await noteMailSent(db, mail.uuid)
  return undefined
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : 'The mail server failed').slice(0, longestReason)
}

/** The way to the server or the login at it failed, not this one mail. */
function isServerFailure(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code !== 'EENVELOPE' && code !== 'EMESSAGE'
}
